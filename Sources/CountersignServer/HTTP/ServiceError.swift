internal import HTTPTypes
internal import Logging

/// Maps an unexpected error to 503 or 500. The reason goes to the log only.
enum ServiceError: Error, Sendable, Equatable {
    /// The server cannot do its work for now.
    case unavailable
    /// The server is at fault.
    case fault

    /// The delay before a client should ask again (`Retry-After`), in seconds.
    static let retryAfterSeconds = 5

    /// Classifies an error and logs it.
    init(_ error: any Error, telling logger: Logger) {
        switch error {
        case is CancellationError:
            self = .unavailable
            logger.debug("not finished: the server stops, or the client left")
        case is StoreUnavailableError, is StoreClosedError:
            self = .unavailable
            logger.error("the store cannot be used", metadata: ["reason": "\(error)"])
        default:
            self = .fault
            logger.error("failed", metadata: ["reason": "\(error)"])
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .unavailable: .serviceUnavailable
        case .fault: .internalServerError
        }
    }
}
