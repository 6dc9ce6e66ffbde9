internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One request of an enrolled device.
struct AuthenticatorCall: Sendable {
    /// The method of the request.
    var method = HTTPRequest.Method.get
    /// The path below the server's endpoint for authenticators.
    let path: String
    /// The body; empty for none.
    var body: [UInt8] = []
    /// Makes the body for the access token that it is sent with, in place of ``body``; `nil` where it does not matter.
    var bodyForToken: (@Sendable (AccessToken) throws(ApprovalError) -> [UInt8])?
    /// The type of the body.
    var type = "application/x-www-form-urlencoded"
    /// Header fields beside those that every call has.
    var fields: HTTPFields = [:]
    /// The time that the server may hold it open, in seconds.
    var hold = 0
    /// Whether it decides something, so that an answer that is lost leaves open what came of it.
    var decides = false
    /// Whether the server answers a new device with 404.
    var mayFindNothing = false

    /// A call of a path.
    init(_ method: HTTPRequest.Method, _ path: String) {
        self.method = method
        self.path = path
    }

    /// The body, for a request that has its token.
    func body(of request: HTTPRequest) throws(ApprovalError) -> [UInt8] {
        guard let bodyForToken else { return body }
        let header = request.headerFields[.authorization] ?? ""
        guard let token = BearerHeader.token(in: header) ?? DPoPHeader.token(in: header) else {
            throw ApprovalError(.signedOut, because: "no access token")
        }
        return try bodyForToken(token)
    }

    /// A call with a form.
    init(_ method: HTTPRequest.Method, _ path: String, form: Form) {
        self.init(method, path)
        body = Array(form.encoded.utf8)
    }
}

/// The calls of one enrolled device to its server; each ends in one answer or one ``ApprovalError``.
actor AuthenticatorCalls {
    /// The sign-in that the device hangs on.
    nonisolated let account: ApproverAccount
    /// The app, as the server knows it: it signs.
    nonisolated let conversation: ApproverConversation
    private var clock = ServerClock()

    init(for account: ApproverAccount, through conversation: ApproverConversation) {
        self.account = account
        self.conversation = conversation
    }

    /// The server's date.
    var date: Date { clock.date(at: conversation.clock.moment()) }

    /// The instant when the server's clock will show a date.
    func instant(of date: Date) -> ContinuousClock.Instant {
        clock.instant(of: date, from: conversation.clock.moment())
    }

    /// Takes in the time that a message holds.
    ///
    /// - Parameter hold: The time that the server may have held it back, in seconds.
    func observe(_ date: Date, holding hold: Int = 0) {
        observe(date, within: conversation.options.timeLimit + .seconds(hold))
    }

    private func observe(_ date: Date, within span: Duration) {
        clock.observe(date, within: span, at: conversation.clock.instant())
    }

    /// Sends a call.
    ///
    /// - Returns: The answer, whose status is 200, 204 or 304.
    func send(_ call: AuthenticatorCall) async throws(ApprovalError) -> HTTPAnswer {
        let endpoint = try await conversation.servers.authenticator(call.path, of: account.issuer)
        var request = endpoint.request(call.method)
        for field in call.fields { request.headerFields[field.name] = field.value }
        if !call.body.isEmpty || call.bodyForToken != nil { request.headerFields[.contentType] = call.type }
        let answer = try await account.answer(to: request) { request throws(ApprovalError) in
            try await sendOnce(request, of: call)
        }
        switch answer.response.status {
        case .ok, .noContent, .notModified: return answer
        default: throw ApprovalError(answer, to: call)
        }
    }

    private func sendOnce(_ request: HTTPRequest, of call: AuthenticatorCall) async throws(ApprovalError) -> HTTPAnswer
    {
        let limit = conversation.options.timeLimit + .seconds(call.hold)
        let body = try call.body(of: request)
        let sent = conversation.clock.instant()
        do throws(TransportError) {
            let answer = try await conversation.transport.send(request, body: body, within: limit)
            if let date = answer.response.headerFields[.date].flatMap(HTTPDate.date(of:)) {
                observe(date, within: conversation.clock.instant() - sent)
            }
            return answer
        } catch {
            throw call.decides ? ApprovalError(deciding: error) : ApprovalError(looking: error)
        }
    }

    /// Sends a call that is answered with a message.
    func message<Message: Decodable>(
        _ call: AuthenticatorCall,
        as type: Message.Type = Message.self
    ) async throws(ApprovalError) -> (message: Message, answer: HTTPAnswer) {
        let answer = try await send(call)
        guard answer.response.status == .ok else { throw ApprovalError(.badAnswer, because: "no message") }
        do throws(Unreadable) {
            return (try answer.decoded(Message.self), answer)
        } catch {
            throw ApprovalError(.badAnswer, because: error.reason)
        }
    }

    /// Sends a call whose answer says nothing more than that it is done.
    func done(_ call: AuthenticatorCall) async throws(ApprovalError) {
        let answer = try await send(call)
        guard answer.response.status == .noContent || answer.response.status == .ok else {
            throw ApprovalError(.badAnswer, because: "status \(answer.response.status.code)")
        }
    }
}

extension AuthenticatorCalls {
    /// Makes a call about a request. The server says of one that is over what it says of one that is answered; here the
    /// first is told as `expired`.
    nonisolated func untilExpired<Value: Sendable>(
        _ deadline: Date,
        _ call: () async throws(ApprovalError) -> Value
    ) async throws(ApprovalError) -> Value {
        do throws(ApprovalError) {
            return try await call()
        } catch {
            guard error.code == .nothingToDecide, await date >= deadline else { throw error }
            throw ApprovalError(.expired, because: error.reason)
        }
    }
}

extension ApprovalError {
    /// The server said no.
    fileprivate init(_ answer: HTTPAnswer, to call: AuthenticatorCall) {
        let word = (try? answer.decoded(OAuthErrorResponse.self))?.error
        let reason = "status \(answer.response.status.code)"
        switch (answer.response.status, word) {
        case (.forbidden, .accessDenied?): self.init(.policyRefused, because: reason)
        case (.badRequest, .invalidNumber?): self.init(.wrongNumber, because: reason)
        case (.notFound, .invalidRequest?) where call.mayFindNothing: self.init(.notRegistered, because: reason)
        default: self.init(answer, accessDenied: .policyRefused, deciding: call.decides)
        }
    }
}

extension ApproverServers {
    /// An endpoint for enrolled devices.
    ///
    /// - Parameter path: The path below the address that the server's metadata name.
    /// - Throws: ``ApprovalError``: `unreachable`, `notTrusted`, `badAnswer`, or `notOffered` when the metadata name
    ///   none.
    func authenticator(_ path: String, of issuer: Issuer) async throws(ApprovalError) -> Endpoint {
        let metadata = try await metadata(of: issuer)
        guard let base = metadata.authenticatorEndpoint else {
            throw ApprovalError(.notOffered, because: "no endpoint for authenticators in the metadata")
        }
        let endpoint = try endpoint("\(base)/\(path)")
        remember(metadata, of: issuer)
        return endpoint
    }
}
