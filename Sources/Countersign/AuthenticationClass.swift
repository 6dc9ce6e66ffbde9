/// The strength of a person's authentication, or of their answer, in tokens and client requests (`acr`).
///
/// Standard: OpenID Connect Core 1.0 §2. The values are those of Countersign.
public enum AuthenticationClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// The person signed in with the password of their account.
    case password = "urn:countersign:acr:password"
    /// The person signed in with the password of their account, and with a one-time password or a recovery code.
    case secondFactor = "urn:countersign:acr:second-factor"
    /// The person signed in with a passkey, whose authenticator verified them.
    case passkey = "urn:countersign:acr:passkey"
    /// A device verified the person by a PIN or a biometric: the authenticator of their passkey, or an enrolled device
    /// that they answered the request with.
    case userVerified = "urn:countersign:acr:user-verified"
    /// Another provider identifies the person.
    case federated = "urn:countersign:acr:federated"
    /// The person matched the number that the asking side shows, or is in front of it.
    case number = "urn:countersign:acr:number"
    /// The person's device signed the answer with its key.
    case deviceKey = "urn:countersign:acr:device-key"
    /// The person is in front of the screen that asks, or asks with the device that they answer with.
    case nearby = "urn:countersign:acr:nearby"
    /// The person answered by a possession factor alone. Requests that are answered so get no tokens.
    case possession = "urn:countersign:acr:possession"
    /// The person approved the sign-in of the browser on another device.
    case crossDevice = "urn:countersign:acr:cross-device"

    /// All classes that clients may request, and that tokens contain.
    public static let supported: [AuthenticationClass] = [
        .password, .secondFactor, .userVerified, .passkey, .federated, .number, .deviceKey, .nearby,
    ]

    /// The class of a way to prove who one is.
    ///
    /// - Parameter how: The method of a person's authentication.
    public init(of how: Authentication) {
        switch how {
        case .password: self = .password
        case .passwordAnd: self = .secondFactor
        case .passkey: self = .passkey
        case .enrolledDevice: self = .userVerified
        case .federated: self = .federated
        case .possession: self = .possession
        case .crossDevice: self = .crossDevice
        }
    }

    /// Whether a sign-in reaches the class, and not the way of the answer.
    package var isOfSignIn: Bool {
        switch self {
        case .password, .secondFactor, .passkey, .userVerified, .federated: true
        case .number, .deviceKey, .nearby, .possession, .crossDevice: false
        }
    }

    /// The requested classes in the client's order, without duplicates and unknown ones.
    ///
    /// - Parameter names: The names that the client sent, the best first. Standard: OpenID Connect Core 1.0 §3.1.2.1.
    public static func known(among names: [String]) -> [AuthenticationClass] {
        var known: [AuthenticationClass] = []
        for name in names {
            guard let found = AuthenticationClass(rawValue: name), supported.contains(found), !known.contains(found)
            else { continue }
            known.append(found)
        }
        return known
    }
}

extension Evidence {
    /// Whether the evidence is enough for a class: the person authenticated so, or more surely.
    ///
    /// A device enrolled with a sign-in at this server adds a possession factor to that sign-in when it signs the
    /// answer.
    ///
    /// - Parameter wanted: The requested class.
    public func reaches(_ wanted: AuthenticationClass) -> Bool {
        guard let how = authentication?.how else { return false }
        return switch wanted {
        case .password: how.isLocal
        case .secondFactor: how.hasTwoFactors || (how.isLocal && proofs.contains(.decisionSigned))
        case .userVerified: how == .passkey || how == .enrolledDevice
        case .passkey: how == .passkey
        case .federated: if case .federated = how { true } else { false }
        case .number: matchesNumber
        case .deviceKey: isSignedByDevice
        case .nearby: isNearby
        case .possession, .crossDevice: false
        }
    }

    /// The class in tokens: the requested one if a stronger sign-in reached it, otherwise that of the last sign-in;
    /// `nil` when no person proved who they are.
    public var authenticationClass: AuthenticationClass? {
        for case .reached(let wanted) in proofs { return wanted }
        return authentication.map { AuthenticationClass(of: $0.how) }
    }
}
