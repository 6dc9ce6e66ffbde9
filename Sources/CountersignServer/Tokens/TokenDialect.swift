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

/// The reason why a device code gets no token; each dialect has its own error for it.
struct DeviceCodeError: Error, Sendable {
    enum Cause: Sendable, Equatable {
        /// This client has no such code, or redeemed it before.
        case unknown
        case denied
        /// The person has no way to authenticate as the client asked for it.
        case unmet
        case expired
        /// The poll came too early; the client should poll again after so many seconds.
        case tooFast(retryIn: Int)
    }

    let cause: Cause
    /// The true cause, for the log.
    let reason: String

    init(_ cause: Cause, because reason: String) {
        self.cause = cause
        self.reason = reason
    }

    /// The error of a protocol.
    func error(in dialect: TokenDialect) -> any Error {
        switch dialect {
        case .oauth2: oauth
        case .crossPlatform: crossPlatform
        }
    }

    /// Standard: RFC 8628 §3.5.
    private var oauth: OAuthError {
        switch cause {
        case .unknown: OAuthError(.invalidGrant, because: reason)
        case .denied: OAuthError(.accessDenied, because: reason)
        case .unmet: OAuthError(.unmetAuthenticationRequirements, because: reason)
        case .expired: OAuthError(.expiredToken, because: reason)
        case .tooFast: OAuthError(.slowDown, because: reason)
        }
    }

    /// Standard: ETSI TS 103 407 §8.4.1.2. A pending request is no error there.
    private var crossPlatform: CrossPlatformError {
        switch cause {
        case .unknown: CrossPlatformError(.invalidRequest, "the device code is not good", because: reason)
        case .denied, .unmet: CrossPlatformError(.cancelled, "the person refused", because: reason)
        case .expired: CrossPlatformError(.expired, "the device code has expired", because: reason)
        case .tooFast(let retryIn):
            CrossPlatformError(.slowDown, "asked too early", retryIn: retryIn, because: reason)
        }
    }
}
