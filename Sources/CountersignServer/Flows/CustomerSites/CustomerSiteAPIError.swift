internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// An error of the backend API and of the older dialect's device API; its reason goes to the log only.
struct CustomerSiteAPIError: ReasonedError {
    /// The status of the answer.
    let code: HTTPResponse.Status
    /// The problem, as a sentence for people who debug.
    let message: String
    /// The reason, for the log; it must hold no secret.
    let reason: String

    init(_ code: HTTPResponse.Status, _ message: String, because reason: String) {
        self.code = code
        self.message = message
        self.reason = reason
    }

    /// A wrong identifier or secret; which of them it is, is not told.
    static func unauthorized(because reason: String) -> CustomerSiteAPIError {
        CustomerSiteAPIError(.unauthorized, "The identifier or the secret is wrong.", because: reason)
    }

    static func malformed(_ message: String) -> CustomerSiteAPIError {
        CustomerSiteAPIError(.badRequest, message, because: "malformed")
    }

    static func missing(_ message: String) -> CustomerSiteAPIError {
        CustomerSiteAPIError(.notFound, message, because: "not there")
    }

    /// The answer in the dialect's form.
    func answer(headers: HTTPFields = [:]) -> JSONResponse {
        let error = AuthenticatorError(status: code.code, message: message)
        return JSONResponse(holding: error, status: code, headers: headers)
    }
}

extension RouterMethods where Context == ServerRequestContext {
    /// Mounts an endpoint whose errors are answered as ``AuthenticatorError``.
    func authenticatorEndpoint(_ path: String, _ methods: [HTTPRequest.Method: Answering]) {
        endpoint(path, methods, failingAs: CustomerSiteAPIErrorForm.self)
    }
}

/// An error that declares its answer at the backend API and the older dialect's device API.
protocol CustomerSiteAPIAnswerable: Error {
    var environmentAPIAnswer: JSONResponse { get }
}

/// Error responses of the backend API and of the older dialect's device API.
enum CustomerSiteAPIErrorForm: ErrorForm {
    static func answer(to error: any Error) -> JSONResponse? {
        (error as? any CustomerSiteAPIAnswerable)?.environmentAPIAnswer
    }

    static func answer(to failure: ServiceError) -> JSONResponse { failure.environmentAPIAnswer }
}

extension CustomerSiteAPIError: CustomerSiteAPIAnswerable {
    var environmentAPIAnswer: JSONResponse { answer() }
}

extension OAuthError: CustomerSiteAPIAnswerable {
    /// Steps that other endpoints share throw it: bodies that cannot be read.
    var environmentAPIAnswer: JSONResponse {
        CustomerSiteAPIError(.badRequest, "\(description ?? "the request cannot be read").", because: reason).answer()
    }
}

extension RateLimitError: CustomerSiteAPIAnswerable {
    var environmentAPIAnswer: JSONResponse {
        CustomerSiteAPIError(
            .tooManyRequests, "Too many requests; try again in \(retryAfter) s.", because: "\(cause)"
        ).answer(headers: [.retryAfter: String(retryAfter)])
    }
}

extension MethodNotAllowedError: CustomerSiteAPIAnswerable {
    var environmentAPIAnswer: JSONResponse {
        CustomerSiteAPIError(.methodNotAllowed, "This address takes \(allowed).", because: "another method")
            .answer(headers: [.allow: allowed])
    }
}

extension ServiceError: CustomerSiteAPIAnswerable {
    var environmentAPIAnswer: JSONResponse {
        let isPassing = self == .unavailable
        let message = isPassing ? "Ask again in a moment." : "The server is at fault."
        return CustomerSiteAPIError(status, message, because: "a failure of the server")
            .answer(headers: isPassing ? [.retryAfter: "\(ServiceError.retryAfterSeconds)"] : [:])
    }
}

extension Request {
    /// The token in the header.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 401 when there is none, or one that is malformed.
    func environmentToken() throws -> CustomerSiteToken {
        guard let text = bearerToken?.revealed, let token = try? CustomerSiteToken(text) else {
            throw CustomerSiteAPIError.unauthorized(because: "no token that can be read")
        }
        return token
    }
}
