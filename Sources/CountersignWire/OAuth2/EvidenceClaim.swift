public import Countersign

/// The claim `countersign_evidence`: the proofs of one approval, for clients and resource servers.
///
/// It has no secrets, addresses and names. ID tokens, access tokens that are JWTs, and introspection have it wherever a
/// person gave the grant.
///
/// ```swift
/// let evidence = Evidence([.accountPassword(at: now), .nearby(how: .code, sameNetwork: .yes)])
/// let claim = EvidenceClaim(evidence)  // way: nearby, proximity: link
/// ```
///
/// The claim is an addition of Countersign. Standard: RFC 7519 §4.3 (private claims); RFC 7662 §2.2.
public struct EvidenceClaim: Sendable, Hashable, Codable {
    /// The way of the answer to the client.
    public enum Way: String, Sendable, Hashable, Codable, CaseIterable {
        /// A phone nearby answered over a link with the screen.
        case nearby
        /// The person typed the code of the screen, or opened its link; or they typed a code of theirs on the screen.
        case code
        /// The answer went back through the browser of the device that asks.
        case browser
        /// The answer went back through the provider's own app, on the device that asks.
        case app
        /// The client named the person, who answered where they are signed in.
        case push
        /// The person signed the client in before, and that counted again.
        case signOn = "sign_on"
        /// The client presented a ticket that the person had made.
        case ticket
        /// The client presented the token of another provider.
        case exchange
    }

    /// The proof that the person was near the requesting device.
    public enum Proximity: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing proves it.
        case none
        /// The server observed both devices in the same network.
        case network
        /// A link between the two devices: digits were compared, or they know each other and are in the same network.
        case link
        /// The person answered with the device that asks.
        case redirect
    }

    /// The comparison of the networks of the two devices.
    public enum Network: String, Sendable, Hashable, Codable, CaseIterable {
        case same, other
        /// The server could not compare them.
        case unknown
    }

    /// The way of the answer; `nil` when it is not known.
    public let way: Way?
    /// The proof that the person was near the requesting device.
    public let proximity: Proximity
    /// Whether the person typed a number that the asking side showed them.
    public let isNumberMatched: Bool
    /// Whether a passkey or an enrolled device verified the person when they confirmed this very request.
    public let isUserVerified: Bool
    /// Whether the answer was signed by the key of the person's device.
    public let hasDeviceKey: Bool
    /// The comparison of the networks of the two devices, as the server observed them.
    public let network: Network

    enum CodingKeys: String, CodingKey {
        case way, proximity, network
        case isNumberMatched = "number_matched"
        case isUserVerified = "user_verified"
        case hasDeviceKey = "device_key"
    }

    /// Creates a claim from facts that are stored.
    package init(
        way: Way?, proximity: Proximity, isNumberMatched: Bool, isUserVerified: Bool, hasDeviceKey: Bool,
        network: Network
    ) {
        self.way = way
        self.proximity = proximity
        self.isNumberMatched = isNumberMatched
        self.isUserVerified = isUserVerified
        self.hasDeviceKey = hasDeviceKey
        self.network = network
    }

    /// Takes the facts from evidence.
    ///
    /// - Parameter evidence: The evidence of a grant.
    public init(_ evidence: Evidence) {
        let network = evidence.observedNetwork
        way = Way(of: evidence)
        proximity =
            if evidence.proofs.contains(.redirected) { .redirect } else if evidence.isNearby { .link } else {
                network == .yes ? .network : .none
            }
        isNumberMatched = evidence.proofs.contains { proof in
            if case .nearby(how: .code, sameNetwork: _) = proof { true } else { proof == .numberMatched }
        }
        isUserVerified = evidence.isUserVerified
        hasDeviceKey = evidence.isSignedByDevice
        self.network =
            switch network {
            case .yes: .same
            case .no: .other
            case .unknown: .unknown
            }
    }

    /// Reads a claim of another server. A word that is not known proves nothing.
    ///
    /// - Throws: `DecodingError` for a value that is no object.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init { key in
            (try? members.decode(String.self, forKey: key), (try? members.decode(Bool.self, forKey: key)) == true)
        }
    }

    /// Reads a claim of another server. A word that is not known, or that is there twice, proves nothing.
    init(_ members: JSONMembers) {
        self.init { key in (try? members.text(key.rawValue), (try? members.truth(key.rawValue)) == true) }
    }

    /// Takes the facts from members, each as the text and the truth value that it may be.
    private init(reading member: (CodingKeys) -> (text: String?, isTrue: Bool)) {
        func word<Word: RawRepresentable>(_ key: CodingKeys) -> Word? where Word.RawValue == String {
            member(key).text.flatMap { Word(rawValue: $0) }
        }
        way = word(.way)
        proximity = word(.proximity) ?? .none
        isNumberMatched = member(.isNumberMatched).isTrue
        isUserVerified = member(.isUserVerified).isTrue
        hasDeviceKey = member(.hasDeviceKey).isTrue
        network = word(.network) ?? .unknown
    }

    /// Whether the facts are enough for a class of authentication that tells of the answer, beside what `acr` says.
    ///
    /// - Parameter wanted: The requested class; one that tells of the sign-in is never reached by this claim.
    public func reaches(_ wanted: AuthenticationClass) -> Bool {
        let isNear = proximity == .link || proximity == .redirect
        return switch wanted {
        case .nearby: isNear
        case .number: isNumberMatched || isNear
        case .deviceKey: hasDeviceKey
        case .userVerified: isUserVerified
        case .password, .secondFactor, .passkey, .federated, .possession, .crossDevice: false
        }
    }
}

extension EvidenceClaim.Way {
    /// The way that evidence tells of: the one that proves most if there are several.
    fileprivate init?(of evidence: Evidence) {
        let proofs = evidence.proofs
        func has(_ isMeant: (Evidence.Proof) -> Bool) -> Bool { proofs.contains(where: isMeant) }
        if has({ if case .nearby = $0 { true } else { false } }) {
            self = .nearby
        } else if proofs.contains(.redirected) {
            self = proofs.contains(.decisionSigned) ? .app : .browser
        } else if proofs.contains(.codeTyped) || proofs.contains(.linkOpened) || proofs.contains(.personCodeTyped) {
            self = .code
        } else if proofs.contains(.namedByClient) || proofs.contains(.signedInBefore) && proofs.contains(.numberMatched)
        {
            self = .push
        } else if proofs.contains(.ticketPresented) {
            self = .ticket
        } else if proofs.contains(.signedInBefore) {
            self = .signOn
        } else if has({ if case .federated(issuer: _, let how, at: _) = $0 { how.isPresented } else { false } }) {
            self = .exchange
        } else {
            return nil
        }
    }
}
