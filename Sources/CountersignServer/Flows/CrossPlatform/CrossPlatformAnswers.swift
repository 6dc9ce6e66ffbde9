internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

extension Request {
    /// The members of the JSON object in the body; all are texts.
    ///
    /// - Throws: ``CrossPlatformError`` or ``OAuthError`` `invalid_request` for another content type, and for anything
    ///   that is not an object of texts.
    func textMembers() async throws -> TextMembers {
        let body = try await body(of: "application/json")
        do {
            return try TextMembers(parsing: body)
        } catch let problem {
            // The member's name comes from the client, so the answer does not repeat it.
            let description =
                switch problem {
                case .notJSON: "the body is no JSON"
                case .notAnObject: "the body must be a JSON object"
                case .notAText: "every member must be a text"
                case .repeated: "a member comes twice"
                }
            throw CrossPlatformError(.invalidRequest, description, because: "\(problem)")
        }
    }
}

extension Response {
    /// An error in the form of Cross-Platform Authentication.
    ///
    /// Standard: ETSI TS 103 407 §8; RFC 9110 §11.6.1 for the challenge of a 401.
    static func crossPlatform(_ error: CrossPlatformError, headers: HTTPFields = [:]) throws -> Response {
        var headers = headers
        if error.code == .unauthorized { headers[.wwwAuthenticate] = "Bearer realm=\"countersign\"" }
        if error.code == .temporarilyUnavailable { headers[.retryAfter] = "\(ServiceFailure.retryAfterSeconds)" }
        if let retryIn = error.retryIn { headers[.retryAfter] = "\(retryIn)" }
        var response = try Response.json(CrossPlatformErrorResponse(error), headers: headers).namingCharacters
        response.status = error.code.status
        return response
    }

    /// The same JSON with the parameter that EBU's provider writes. RFC 8259 §11 gives it no meaning.
    fileprivate var namingCharacters: Response {
        var response = self
        if response.headers[.contentType] == "application/json" {
            response.headers[.contentType] = "application/json; charset=utf-8"
        }
        return response
    }
}

extension CrossPlatformError {
    /// The same error in the codes of Cross-Platform Authentication: shared steps throw OAuth errors.
    init(_ error: OAuthError) {
        let code: Code =
            switch error.code {
            case .invalidRequest: .invalidRequest
            case .invalidClient: .invalidClient
            case .temporarilyUnavailable: .temporarilyUnavailable
            case .serverError: .serverError
            case .invalidDPoPProof: .invalidDPoPProof
            case .useDPoPNonce: .useDPoPNonce
            default: .invalidRequest
            }
        self.init(code, error.description, because: error.reason)
    }

    init(_ failure: ServiceFailure) {
        switch failure {
        case .unavailable:
            self.init(.temporarilyUnavailable, "ask again in a moment", because: "the store cannot be used")
        case .fault:
            self.init(.serverError, because: "an unexpected error")
        }
    }
}

extension CrossPlatformError.Code {
    /// The status of an answer with this error.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .unauthorized: .unauthorized
        case .notFound: .notFound
        case .serverError: .internalServerError
        case .temporarilyUnavailable: .serviceUnavailable
        default: .badRequest
        }
    }
}

extension RouterMethods where Context == ServerRequestContext {
    /// Mounts an endpoint of Cross-Platform Authentication below `cpa`; every error is answered as a
    /// ``CrossPlatformError``.
    func crossPlatform(
        _ name: String,
        from pages: CrossOriginAccess = .none,
        _ answer: @escaping Answering
    ) {
        var methods: [HTTPRequest.Method: Answering] = [
            .post: pages.allowing(CrossPlatformFailures.answering(answer))
        ]
        if !pages.isEmpty { methods[.options] = pages.preflight }
        mount("cpa/\(name)", methods, otherwise: { _, allowed in try CrossPlatformFailures.methodNotAllowed(allowed) })
    }

    /// Mounts the methods of the base address of Cross-Platform Authentication.
    func crossPlatform(_ methods: [HTTPRequest.Method: Answering]) {
        let answering = methods.mapValues { CrossPlatformFailures.answering($0) }
        mount("cpa", answering, otherwise: { _, allowed in try CrossPlatformFailures.methodNotAllowed(allowed) })
    }
}

/// Error responses of the endpoints of Cross-Platform Authentication.
enum CrossPlatformFailures {
    static func answering(_ answer: @escaping Answering) -> Answering {
        { request, context in
            do {
                return try await answer(request, context).namingCharacters
            } catch let error as any HTTPResponseError {
                throw error
            } catch {
                return try Self.answer(to: error, logger: context.logger)
            }
        }
    }

    /// An error in the form of Cross-Platform Authentication; the reason is logged.
    static func answer(to error: any Error, logger: Logger) throws -> Response {
        switch error {
        case let error as CrossPlatformError: try refused(error, logger)
        case let error as OAuthError: try refused(CrossPlatformError(error), logger)
        case let reached as LimitReached: try limited(reached)
        default: try .crossPlatform(CrossPlatformError(ServiceFailure(error, telling: logger)))
        }
    }

    private static func refused(_ error: CrossPlatformError, _ logger: Logger) throws -> Response {
        logger.debug("refused", metadata: ["error": "\(error.code)", "reason": "\(error.reason)"])
        return try .crossPlatform(error)
    }

    /// Standard: RFC 6585 §4. `slow_down` is the standard's word for a client that asks too often.
    private static func limited(_ reached: LimitReached) throws -> Response {
        let error = CrossPlatformError(
            .slowDown,
            "too many requests",
            retryIn: reached.retryAfter,
            because: "\(reached.cause)"
        )
        var response = try Response.crossPlatform(error)
        response.status = .tooManyRequests
        return response
    }

    static func methodNotAllowed(_ allowed: String) throws -> Response {
        let error = CrossPlatformError(.invalidRequest, "this endpoint takes \(allowed)", because: "another method")
        var response = try Response.crossPlatform(error, headers: [.allow: allowed])
        response.status = .methodNotAllowed
        return response
    }
}
