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

    /// This server's own page for a forgotten password, as the requester of a browser that asks to set a new one. It is
    /// no registered client either.
    ///
    /// The person's device has to sign the approval, and they match the number that the page shows: a browser where
    /// somebody is signed in sets no password.
    static let passwordPage = Client(
        id: ClientID("password page"),
        name: "Page for a new password",
        kind: .public,
        grantTypes: [],
        scope: .none,
        tokenFormat: .opaque,
        minimumEvidence: ScopeDemands([.deviceKey, .number]),
        created: Date(timeIntervalSince1970: 0)
    )

    /// The page of this server with an identifier; `nil` for any other.
    static func page(_ id: ClientID) -> Client? { [signInPage, passwordPage].first { $0.id == id } }
}
