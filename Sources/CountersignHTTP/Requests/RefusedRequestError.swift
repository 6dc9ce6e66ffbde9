internal import CountersignWire
internal import HTTPTypes

/// The refusal of a request that no route reads.
package enum RefusedRequestError: Error {
    case noSingleHost, unknownTarget, misdirected, unknownExpectation

    /// The answer at every endpoint for programs.
    package var answer: JSONResponse {
        let (status, description): (HTTPResponse.Status, String) =
            switch self {
            case .noSingleHost: (.badRequest, "exactly one valid Host header is needed")
            case .unknownTarget: (.badRequest, "the request target is neither a path nor a web address")
            case .unknownExpectation: (.expectationFailed, "the expectation is not known")
            case .misdirected: (.misdirectedRequest, "this server has another name")
            }
        return JSONResponse(OAuthError(.invalidRequest, description, because: description), status: status)
    }
}
