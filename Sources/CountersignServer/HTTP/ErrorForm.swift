internal import Countersign
internal import CountersignWire
internal import Hummingbird
internal import Logging

/// The form of errors at a group of endpoints. Each error type declares its own answer, by the protocol of the form.
protocol ErrorForm: SendableMetatype {
    /// The answer that the type of `error` declares; `nil` for an error that no endpoint of the form expects.
    static func answer(to error: any Error) -> JSONResponse?
    static func answer(to failure: ServiceError) -> JSONResponse
    /// Adds to every answer, good ones included, what the form demands; nothing by default.
    static func complete(_ response: Response) -> Response
}

/// An error with a reason, which goes to the log only.
protocol ReasonedError: CodedError {
    var reason: String { get }
}

extension OAuthError: ReasonedError {}
extension CrossPlatformError: ReasonedError {}

extension ErrorForm {
    static func complete(_ response: Response) -> Response { response }

    /// Wraps `answer`: what it throws becomes an error response of the form, and the reason is logged.
    static func answering(_ answer: @escaping Answering) -> Answering {
        { request, context in
            do {
                return complete(try await answer(request, context))
            } catch let refusal as RefusedRequestError {
                return refusal.answer.response
            } catch let error as any HTTPResponseError {
                throw error
            } catch {
                return complete(Self.answer(to: error, logger: context.logger).response)
            }
        }
    }

    /// The error response of the form; the reason is logged.
    static func answer(to error: any Error, logger: Logger) -> JSONResponse {
        guard let answer = answer(to: error) else { return answer(to: ServiceError(error, telling: logger)) }
        if let error = error as? any ReasonedError {
            logger.debug("refused", metadata: ["error": "\(error.code)", "reason": "\(error.reason)"])
        }
        return answer
    }
}

/// The path takes other methods.
///
/// Standard: RFC 9110 §15.5.6.
struct MethodNotAllowedError: Error {
    /// The value of the `Allow` header.
    let allowed: String
}
