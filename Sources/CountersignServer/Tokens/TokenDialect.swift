internal import Countersign
internal import CountersignWire

/// The protocol of a token request, which determines the form of the answer.
///
/// The checks are the same for both protocols.
enum TokenDialect: Sendable {
    /// RFC 6749 and RFC 8628.
    case oauth2
    /// Cross-Platform Authentication, for this domain. Standard: ETSI TS 103 407 §8.4.
    indirect case crossPlatform(ServiceDomain)

    /// The domain that tokens are asked for.
    var domain: ServiceDomain? {
        switch self {
        case .oauth2: nil
        case .crossPlatform(let domain): domain
        }
    }
}
