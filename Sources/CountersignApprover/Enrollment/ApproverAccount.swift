public import Countersign
public import CountersignWire

/// An account as which this app is signed in at one server.
public struct ApproverAccount: Sendable {
    /// Names the sign-in within the app; the key for its decisions is kept under this name.
    public struct ID: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let id: ID
    /// The server. What comes over a link must name it letter by letter.
    public let issuer: Issuer
    let accessToken: @Sendable () async throws -> AccessToken

    /// An account.
    ///
    /// - Parameters:
    ///   - id: Names the sign-in within the app.
    ///   - issuer: The server.
    ///   - accessToken: Gives a token that is good now, with the scope `nearby_approve`.
    public init(id: ID, issuer: Issuer, accessToken: @escaping @Sendable () async throws -> AccessToken) {
        self.id = id
        self.issuer = issuer
        self.accessToken = accessToken
    }
}
