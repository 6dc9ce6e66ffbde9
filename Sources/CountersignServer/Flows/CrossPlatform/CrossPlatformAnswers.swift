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
            .post: pages.allowing(CrossPlatformErrorForm.answering(answer))
        ]
        if !pages.isEmpty { methods[.options] = pages.preflight }
        mount("cpa/\(name)", methods, failing: CrossPlatformErrorForm.answering)
    }

    /// Mounts the methods of the base address of Cross-Platform Authentication.
    func crossPlatform(_ methods: [HTTPRequest.Method: Answering]) {
        mount("cpa", methods.mapValues(CrossPlatformErrorForm.answering), failing: CrossPlatformErrorForm.answering)
    }
}

/// An error that declares its answer at the endpoints of Cross-Platform Authentication.
protocol CrossPlatformAnswerable: Error {
    var crossPlatformAnswer: JSONResponse { get }
}

/// Error responses of the endpoints of Cross-Platform Authentication.
enum CrossPlatformErrorForm: ErrorForm {
    static func answer(to error: any Error) -> JSONResponse? {
        (error as? any CrossPlatformAnswerable)?.crossPlatformAnswer
    }

    static func answer(to failure: ServiceError) -> JSONResponse { failure.crossPlatformAnswer }

    /// Adds the parameter that EBU's provider writes. RFC 8259 §11 gives it no meaning.
    static func complete(_ response: Response) -> Response {
        var response = response
        if response.headers[.contentType] == "application/json" {
            response.headers[.contentType] = "application/json; charset=utf-8"
        }
        return response
    }
}

extension JSONResponse {
    /// An error in the form of Cross-Platform Authentication.
    ///
    /// Standard: ETSI TS 103 407 §8; RFC 9110 §11.6.1 for the challenge of a 401.
    fileprivate init(_ error: CrossPlatformError, status: HTTPResponse.Status? = nil, headers: HTTPFields = [:]) {
        var headers = headers
        if error.code == .unauthorized { headers[.wwwAuthenticate] = "Bearer realm=\"countersign\"" }
        if error.code == .temporarilyUnavailable { headers[.retryAfter] = "\(ServiceError.retryAfterSeconds)" }
        if let retryIn = error.retryIn { headers[.retryAfter] = "\(retryIn)" }
        let body = CrossPlatformErrorResponse(error)
        self.init(holding: body, status: status ?? error.code.status, headers: headers)
    }
}

extension CrossPlatformError: ReasonedError, CrossPlatformAnswerable {
    var crossPlatformAnswer: JSONResponse { JSONResponse(self) }
}

extension OAuthError: CrossPlatformAnswerable {
    var crossPlatformAnswer: JSONResponse { JSONResponse(CrossPlatformError(self)) }
}

extension RateLimitError: CrossPlatformAnswerable {
    /// Standard: RFC 6585 §4. `slow_down` is the standard's word for a client that asks too often.
    var crossPlatformAnswer: JSONResponse {
        let error = CrossPlatformError(.slowDown, "too many requests", retryIn: retryAfter, because: "\(cause)")
        return JSONResponse(error, status: .tooManyRequests)
    }
}

extension MethodNotAllowedError: CrossPlatformAnswerable {
    var crossPlatformAnswer: JSONResponse {
        let error = CrossPlatformError(.invalidRequest, "this endpoint takes \(allowed)", because: "another method")
        return JSONResponse(error, status: .methodNotAllowed, headers: [.allow: allowed])
    }
}

extension ServiceError: CrossPlatformAnswerable {
    var crossPlatformAnswer: JSONResponse {
        switch self {
        case .unavailable:
            let reason = "the store cannot be used"
            return JSONResponse(CrossPlatformError(.temporarilyUnavailable, "ask again in a moment", because: reason))
        case .fault:
            return JSONResponse(CrossPlatformError(.serverError, because: "an unexpected error"))
        }
    }
}
