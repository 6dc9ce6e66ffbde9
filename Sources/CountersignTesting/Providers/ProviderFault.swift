/// A fault at one step of a fake provider, in place of its answer.
///
/// ```swift
/// provider.fail(at: .token, with: .status(503))
/// ```
public enum ProviderFault: Sendable, Hashable {
    /// The address of the step leads to a port where nothing listens.
    case refused
    /// The address of the step names a host that does not exist.
    case unknownHost
    /// The address of the step is https, and what listens there speaks no TLS.
    case noTLS
    /// The connection is reset when the request has come.
    case reset
    /// No answer ever.
    case silence
    /// An answer with this status and an unknown body.
    case status(Int)
    /// An answer with this status, media type and body.
    case answer(Int, type: String, body: String)
    /// The usual status and type, and a body that is not UTF-8.
    case badUTF8
    /// The usual status and type, and a body of two megabytes.
    case huge
    /// The usual answer, which ends in its middle.
    case truncated
    /// The usual answer without this member or parameter.
    case missing(String)

    /// The address for a step with this fault, in place of `address`.
    func address(for address: String) -> String {
        switch self {
        // No program of this machine listens on the first port of all.
        case .refused: "http://127.0.0.1:1/nothing"
        case .unknownHost: "https://provider.invalid/nothing"
        case .noTLS: address.replacing("http://", with: "https://")
        default: address
        }
    }
}
