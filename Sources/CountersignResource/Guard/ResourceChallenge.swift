public import CountersignWire

/// The challenge of a service to clients without a good token, in the `WWW-Authenticate` header of its refusals.
///
/// ```swift
/// ResourceChallenge.both(
///     CrossPlatformChallenge(name: "Our AP", uri: "https://id.example.com/cpa", modes: [.client, .user]),
///     realm: "radio"
/// )
/// ```
public enum ResourceChallenge: Sendable, Equatable {
    /// Tokens come from a provider of Cross-Platform Authentication, for the modes that are named.
    ///
    /// Standard: ETSI TS 103 407 Annex A.2.
    case crossPlatform(CrossPlatformChallenge)
    /// A bearer token is wanted; `realm` is any name of the protected resource.
    ///
    /// Standard: RFC 6750 §3.
    case bearer(realm: String)
    /// Both, each in a separate header field.
    case both(CrossPlatformChallenge, realm: String)

    var crossPlatform: CrossPlatformChallenge? {
        switch self {
        case .crossPlatform(let challenge), .both(let challenge, realm: _): challenge
        case .bearer: nil
        }
    }

    var realm: String? {
        switch self {
        case .bearer(let realm), .both(_, let realm): realm
        case .crossPlatform: nil
        }
    }
}

extension CrossPlatformChallenge {
    /// The same with other modes; `nil` when none is left.
    func offering(_ modes: [Mode]) -> CrossPlatformChallenge? {
        modes.isEmpty ? nil : CrossPlatformChallenge(name: name, uri: uri, modes: modes)
    }
}
