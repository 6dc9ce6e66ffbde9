internal import FoundationEssentialsCompat

extension SessionID {
    /// The session of a person at a client: the browser session, or else the sign-in.
    ///
    /// It differs for each client, and does not reveal the browser session.
    init(of session: ApproverID?, or grant: Grant.ID, at client: ClientID) {
        let name = session.map { "browser \($0)" } ?? "grant \(grant)"
        self.init(rawValue: URLSafeText.encode(SecretDigest(of: "sid \(name) \(client)").bytes.prefix(16)))
    }
}
