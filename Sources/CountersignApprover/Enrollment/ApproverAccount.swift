public import Countersign
public import CountersignWire

/// An account as which this app is signed in at one server.
public struct ApproverAccount: Sendable {
    /// Names the sign-in within the app; the key for its decisions is kept under this name.
    public struct ID: Identifier {
        /// The name, in the app's own words.
        public let rawValue: String
        /// Names a sign-in. The app chooses the name, and keeps it as long as the sign-in lasts.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Names the sign-in within the app.
    public let id: ID
    /// The server. What comes over a link must name it letter by letter.
    public let issuer: Issuer
    /// Gives a token that is good now.
    let accessToken: @Sendable () async throws -> AccessToken

    /// An account.
    ///
    /// ```swift
    /// let account = ApproverAccount(id: ApproverAccount.ID("anna"), issuer: issuer) {
    ///     try await refresher.signedIn().accessToken
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: Names the sign-in within the app.
    ///   - issuer: The server's base URL; a request that names another one is refused.
    ///   - accessToken: Gives a token that is valid now, with the scope `nearby_approve`. It is called for each request. An
    ///     error that it throws means that the app is signed out, unless it is a ``TransientError`` that says otherwise, as
    ///     those of `TokenRefresher` do.
    public init(id: ID, issuer: Issuer, accessToken: @escaping @Sendable () async throws -> AccessToken) {
        self.id = id
        self.issuer = issuer
        self.accessToken = accessToken
    }
}
