internal import HTTPTypes
internal import Logging

/// What an error that no endpoint expects means for whoever asked. Why it came stands in the log only.
enum Trouble: Sendable, Equatable {
    /// The server cannot do its work for now.
    case unavailable
    /// The server is at fault.
    case fault

    /// When it makes sense to ask again, in seconds.
    static let patience = 5

    /// Judges an error, and writes it down.
    init(_ error: any Error, telling logger: Logger) {
        switch error {
        case is CancellationError:
            self = .unavailable
            logger.debug("not finished: the server stops, or the client left")
        case is StoreUnavailable, is any ClosedStore:
            self = .unavailable
            logger.error("the store is in trouble", metadata: ["reason": "\(error)"])
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
