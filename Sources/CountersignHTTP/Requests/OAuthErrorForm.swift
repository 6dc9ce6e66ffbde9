package import CountersignWire
internal import HTTPTypes

/// An error that declares its answer at the endpoints of OAuth.
package protocol OAuthAnswerable: Error {
    var oauthAnswer: JSONResponse { get }
}

/// Error responses of the endpoints of OAuth.
package enum OAuthErrorForm: ErrorForm {
    package static func answer(to error: any Error) -> JSONResponse? { (error as? any OAuthAnswerable)?.oauthAnswer }
    package static func answer(to failure: ServiceError) -> JSONResponse { failure.oauthAnswer }
}

extension OAuthError: OAuthAnswerable {
    package var oauthAnswer: JSONResponse { JSONResponse(self) }
}

extension MethodNotAllowedError: OAuthAnswerable {
    package var oauthAnswer: JSONResponse {
        let error = OAuthError(.invalidRequest, "this endpoint takes \(allowed)", because: "another method")
        return JSONResponse(error, status: .methodNotAllowed, headers: [.allow: allowed])
    }
}

extension ServiceError: OAuthAnswerable {
    package var oauthAnswer: JSONResponse {
        switch self {
        case .unavailable:
            let reason = "the store cannot be used"
            return JSONResponse(OAuthError(.temporarilyUnavailable, "ask again in a moment", because: reason))
        case .fault:
            return JSONResponse(OAuthError(.serverError, because: "an unexpected error"))
        }
    }
}
