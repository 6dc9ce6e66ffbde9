internal import FoundationEssentialsCompat

extension Client {
    /// This server's own sign-in page, as the requester of a browser that asks for a session there.
    ///
    /// It is no registered client: it has no credential, no grant type and no scope, no token names it, and
    /// ``ClientRegistry`` refuses its identifier.
    static let signInPage = Client(
        id: ClientID("sign-in page"),
        name: "Sign-in page",
        kind: .public,
        grantTypes: [],
        scope: .none,
        tokenFormat: .opaque,
        created: Date(timeIntervalSince1970: 0)
    )
}
