public import Countersign
public import CountersignWire
internal import CountersignTransport
public import HTTPTypes

/// An account as which this app is signed in at one server.
public struct ApproverAccount: Sendable {
    /// Identifies the sign-in within the app; the key for its decisions is stored under this name.
    public struct ID: Identifier {
        /// The name, in the app's own words.
        public let rawValue: String
        /// Names a sign-in. The app chooses the name, and keeps it as long as the sign-in lasts.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Names the sign-in within the app.
    public let id: ID
    /// The server. Requests over a link must contain it literally.
    public let issuer: Issuer
    /// Puts a token that is good now into a request.
    let authorize: @Sendable (HTTPRequest) async throws -> HTTPRequest
    /// Returns what to send after an answer that refused the token; `nil` when sending it again is of no use.
    let authorizeAgain: @Sendable (HTTPRequest, HTTPResponse) async throws -> HTTPRequest?

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
    ///   - accessToken: Gives a token that is valid now, with the scope `nearby_approve`. It is called for each
    ///     request. An error that it throws means that the app is signed out, unless it is a temporary
    ///     ``TransientError``, such as those of `TokenRefresher`.
    public init(id: ID, issuer: Issuer, accessToken: @escaping @Sendable () async throws -> AccessToken) {
        self.init(
            id: id, issuer: issuer,
            authorizing: { request in
                var request = request
                request.headerFields[.authorization] = BearerHeader.value(for: try await accessToken())
                return request
            })
    }

    /// An account whose tokens may be bound to a key, so that each request needs a proof of it.
    ///
    /// ```swift
    /// let account = ApproverAccount(
    ///     id: ApproverAccount.ID("anna"), issuer: issuer,
    ///     authorizing: { request in try await refresher.authorized(request) },
    ///     again: { request, answer in try await refresher.authorized(request, after: answer) })
    /// ```
    ///
    /// - Parameters:
    ///   - id: Names the sign-in within the app.
    ///   - issuer: The server's base URL; a request that names another one is refused.
    ///   - authorize: Adds a valid token with the scope `nearby_approve` to a request, and a proof if the token is
    ///     bound. It is called for each request; its errors mean the same as for a token.
    ///   - authorizeAgain: Returns what to send after an answer, with a new token or the server's nonce; `nil` when
    ///     that is of no use, which is the default. It is called after each answer.
    ///
    /// Standard: RFC 6750 §2.1; RFC 9449 §7.1.
    public init(
        id: ID,
        issuer: Issuer,
        authorizing authorize: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest,
        again authorizeAgain: @escaping @Sendable (HTTPRequest, HTTPResponse) async throws -> HTTPRequest? = { _, _ in
            nil
        }
    ) {
        self.id = id
        self.issuer = issuer
        self.authorize = authorize
        self.authorizeAgain = authorizeAgain
    }

    /// Sends a request in the name of this account, and once more where the answer refuses the token or demands a
    /// nonce: after such an answer nothing was done.
    ///
    /// Standard: RFC 6750 §3.1; RFC 9449 §9.
    ///
    /// - Parameters:
    ///   - request: The request without a token.
    ///   - send: Sends one request.
    /// - Returns: The last answer.
    /// - Throws: ``ApprovalError``; what `send` throws.
    func answer(
        to request: HTTPRequest,
        sending send: @Sendable (HTTPRequest) async throws(ApprovalError) -> HTTPAnswer
    ) async throws(ApprovalError) -> HTTPAnswer {
        let first = try await Self.authenticating { try await authorize(request) }
        let answer = try await send(first)
        let again = try await Self.authenticating { try await authorizeAgain(first, answer.response) }
        guard let again else { return answer }
        return try await send(again)
    }

    private static func authenticating<Value: Sendable>(
        _ authorize: () async throws -> Value
    ) async throws(ApprovalError) -> Value {
        do {
            return try await authorize()
        } catch {
            throw ApprovalError(authenticating: error)
        }
    }
}
