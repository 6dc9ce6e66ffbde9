package import HTTPTypes
package import Logging

/// An error that passes by itself, as of a store that cannot be used for a while.
package protocol TransientError: Error {}

/// An unexpected error, answered with 503 or 500; its reason goes to the log only.
package enum ServiceError: Error, Sendable, Equatable {
    /// It passes by itself.
    case unavailable
    /// An error of the server.
    case fault

    /// The delay before a client should ask again (`Retry-After`), in seconds.
    package static let retryAfterSeconds = 5

    /// Classifies an error and logs it.
    package init(_ error: any Error, telling logger: Logger) {
        switch error {
        case is CancellationError:
            self = .unavailable
            logger.debug("not finished: the server stops, or the client left")
        case is any TransientError:
            self = .unavailable
            logger.error("the store cannot be used", metadata: ["reason": "\(error)"])
        default:
            self = .fault
            logger.error("failed", metadata: ["reason": "\(error)"])
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .unavailable: .serviceUnavailable
        case .fault: .internalServerError
        }
    }
}
