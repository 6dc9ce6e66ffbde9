public import CountersignWire

/// How a service tells whoever has no good token where one comes from.
public enum ResourceChallenge: Sendable, Equatable {
    /// Where tokens of Cross-Platform Authentication come from, and for whom they may be.
    ///
    /// Standard: ETSI TS 103 407 Annex A.2.
    case crossPlatform(CrossPlatformChallenge)
    /// That a bearer token is wanted. Standard: RFC 6750 §3.
    case bearer(realm: String)
    /// Both, each in a header field of its own.
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
