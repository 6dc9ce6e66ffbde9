public import FoundationEssentialsCompat

/// The proofs given on the way from a request to its approval.
///
/// ``Policy`` reads evidence and never asks which channel it came over.
public struct Evidence: Sendable, Equatable, Codable {
    /// One thing that was proved.
    public enum Proof: Sendable, Hashable, Codable {
        /// The person signed in at the approving screen with their account's password, at this instant.
        case accountPassword(at: Date)
        /// The person proved a possession factor in addition to the password at this instant.
        case secondFactor(SecondFactor, at: Date)
        /// The person signed in at the approving screen with a passkey, whose authenticator verified them, at this
        /// instant.
        case passkey(at: Date)
        /// The person confirmed this very request with a passkey, whose authenticator verified them, at this instant.
        case userVerified(at: Date)
        /// The person signed in with a device that they had enrolled, which verified them by a biometric or a PIN, at
        /// this instant.
        case enrolledDevice(at: Date)
        /// The enrolled device that signed the answer to this request verified the person, by a biometric or a PIN, at
        /// this instant, as asserted by an app that the operator trusts.
        case verifiedByDevice(at: Date)
        /// Another provider identified the person: the provider, the way of its assertion, and the time of the sign-in;
        /// ``Evidence/unknownInstant`` when it does not say so.
        case federated(issuer: IdentityIssuer, how: FederatedProof, at: Date)
        /// The person typed the code that the requesting screen shows.
        case codeTyped
        /// The code that the person got where they are signed in was typed on the requesting screen. They chose to
        /// start the request, which no link can make them do. They are not known to be in front of the screen: they may
        /// have told the code to somebody else.
        case personCodeTyped
        /// The person came by a link that held the code; it proves only that the link reached them.
        case linkOpened
        /// The client presented the ticket that the person made for it where they are signed in; it proves only that the
        /// ticket reached the client.
        case ticketPresented
        /// The person signed in with this browser earlier, according to a cookie of the server.
        case knownBrowser
        /// The client proved by its secret that this person signed it in before.
        case signedInBefore
        /// An authenticated client with the right to the back channel named the person, who found the request where
        /// they are signed in. That the person is in front of what asks is the client's word alone.
        case namedByClient
        /// The answer travels back through the browser or the app that the person decided in, to an address that the
        /// client registered: the requesting app is on the device that the person uses.
        case redirected
        /// The person answered this request by a possession factor alone, at this instant: weaker evidence than all
        /// others, insufficient for scopes that need a password, a second factor or a passkey.
        case possession(Possession, at: Date)
        /// The person approved the sign-in of the browser that answers on another device; the instant is that of their
        /// authentication there. It is no authentication with a credential in this browser.
        case crossDevice(at: Date)
        /// The answer was signed on the person's device, by the key of the app that is signed in there.
        case decisionSigned
        /// The person typed the number that the asking side shows them for this request. It was read from the screen,
        /// or passed on by another person who read it, as a code can be.
        case numberMatched
        /// The person answered over a link between their phone and the requesting screen: how the phone knows that
        /// screen, asserted by a verified key, and what the server observed of both.
        case nearby(how: NearbyProof, sameNetwork: SameNetwork)
        /// The server compared the networks of the requesting screen and of the person who answered.
        case network(SameNetwork)
        /// The client asked for this class of authentication, and the evidence satisfies it; tokens contain it.
        case reached(AuthenticationClass)
    }

    /// The proofs, in the order of their addition.
    public private(set) var proofs: [Proof]

    /// Creates evidence.
    public init(_ proofs: [Proof] = []) { self.proofs = proofs }

    /// Adds one proof; a proof that is already there is not repeated.
    ///
    /// - Parameter proof: The proof, as the way in has verified it.
    public mutating func add(_ proof: Proof) {
        if !proofs.contains(proof) { proofs.append(proof) }
    }

    /// This evidence after that of `earlier`, each proof once.
    package func adding(_ earlier: Evidence?) -> Evidence {
        var all = earlier ?? Evidence()
        for proof in proofs { all.add(proof) }
        return all
    }

    /// The instant of a proof whose provider names no instant: too long ago for whatever asks for a fresh sign-in.
    public static let unknownInstant = Date(timeIntervalSince1970: 0)

    /// The instant of the person's last authentication, for tokens; `nil` if they did not authenticate, or if the
    /// instant is not known.
    ///
    /// Standard: OpenID Connect Core 1.0 §2 (`auth_time`).
    public var knownAuthenticated: Date? { authenticated.flatMap { $0 > Self.unknownInstant ? $0 : nil } }

    /// The instant of the person's last authentication, or ``unknownInstant``; `nil` if they did not authenticate.
    ///
    /// Standard: OpenID Connect Core 1.0 §2 (`auth_time`).
    public var authenticated: Date? { authentication?.at }

    /// The method and the instant of the person's last authentication; `nil` if they did not authenticate.
    public var authentication: (how: Authentication, at: Date)? {
        let known = proofs.compactMap { proof -> (how: Authentication, at: Date)? in
            switch proof {
            case .accountPassword(at: let instant): (.password, instant)
            case .passkey(at: let instant), .userVerified(at: let instant): (.passkey, instant)
            case .enrolledDevice(at: let instant), .verifiedByDevice(at: let instant): (.enrolledDevice, instant)
            case .federated(let issuer, let how, at: let instant): (.federated(issuer: issuer, how: how), instant)
            case .possession(let what, at: let instant): (.possession(what), instant)
            case .crossDevice(at: let instant): (.crossDevice, instant)
            case .secondFactor, .codeTyped, .personCodeTyped, .linkOpened, .ticketPresented, .knownBrowser,
                .signedInBefore, .namedByClient, .redirected, .decisionSigned, .numberMatched, .nearby, .network,
                .reached:
                nil
            }
        }
        // Two may have the same instant: then the one that was added last counts.
        let last = known.max { $0.at < $1.at }.flatMap { latest in known.last { $0.at == latest.at } }
        guard let last, last.how == .password else { return last }
        // A second factor counts with the password that it was proved with.
        for case .secondFactor(let factor, at: last.at) in proofs { return (.passwordAnd(factor), last.at) }
        return last
    }

    /// The proofs that a person authenticated.
    ///
    /// - Parameters:
    ///   - how: The method of authentication.
    ///   - instant: The instant of authentication.
    public static func proofs(of how: Authentication, at instant: Date) -> [Proof] {
        switch how {
        case .password: [.accountPassword(at: instant)]
        case .passwordAnd(let factor): [.accountPassword(at: instant), .secondFactor(factor, at: instant)]
        case .passkey: [.passkey(at: instant)]
        case .enrolledDevice: [.enrolledDevice(at: instant)]
        case .federated(let issuer, let how): [.federated(issuer: issuer, how: how, at: instant)]
        case .possession(let what): [.possession(what, at: instant)]
        case .crossDevice: [.crossDevice(at: instant)]
        }
    }

    /// Whether a passkey or an enrolled device verified the person when they confirmed this very request.
    public var isUserVerified: Bool { proofs.contains { $0.meaning.contains(.userVerified) } }

    /// Whether the person showed that they know the user code, by typing it or by opening its link, or made the ticket
    /// of the client.
    public var namesTheCode: Bool {
        proofs.contains(.codeTyped) || proofs.contains(.linkOpened) || proofs.contains(.ticketPresented)
    }

    /// Whether the person came by the link of the request, and did not type its code.
    package var isByLink: Bool { proofs.contains(.linkOpened) && !proofs.contains(.codeTyped) }

    /// Whether the person is considered to be in front of the requesting screen.
    ///
    /// Digits typed at the phone were read from that screen. A remembered pairing counts only when the server observed
    /// both devices in the same network, because a stolen screen asks from elsewhere; an unknown network does not
    /// count.
    public var isNearby: Bool { proofs.contains { $0.meaning.contains(.nearby) } }

    /// Whether the person matched the number of the asking side, or is considered to be in front of it: proofs that a
    /// forwarded link cannot give.
    public var matchesNumber: Bool { proofs.contains(.numberMatched) || isNearby }

    /// Whether the answer was signed by the key of the person's device.
    public var isSignedByDevice: Bool { proofs.contains { $0.meaning.contains(.signedByDevice) } }

    /// The comparison of the networks of the requesting screen and of the person who answered.
    public var observedNetwork: SameNetwork {
        let networks = proofs.compactMap { proof -> SameNetwork? in
            if case .network(let network) = proof { return network }
            if case .nearby(how: _, sameNetwork: let network) = proof { return network }
            return nil
        }
        return networks.last ?? .unknown
    }

    /// Whether the person is connected with the requesting screen: they know its code or it was told theirs, they signed
    /// it in before, are in front of it, or signed in to another provider in the requesting app; or an entitled client
    /// named them.
    public var knowsTheScreen: Bool {
        namesTheCode || proofs.contains(.personCodeTyped) || proofs.contains(.signedInBefore)
            || proofs.contains(.namedByClient) || proofs.contains(.numberMatched) || isNearby || isPresented
    }

    /// Whether the client presented another provider's assertion issued for it.
    private var isPresented: Bool {
        proofs.contains { proof in
            if case .federated(issuer: _, let how, at: _) = proof { how.isPresented } else { false }
        }
    }
}

extension Evidence.Proof {
    /// The facts about an answer that a proof can establish, beside the authentication of the person.
    fileprivate struct Meaning: OptionSet {
        let rawValue: Int

        /// A passkey or a device verified the person when they confirmed the request.
        static let userVerified = Meaning(rawValue: 1)
        /// The person is considered to be in front of the requesting screen.
        static let nearby = Meaning(rawValue: 2)
        /// The key of the person's device signed the answer.
        static let signedByDevice = Meaning(rawValue: 4)
    }

    /// The facts that this proof establishes.
    fileprivate var meaning: Meaning {
        switch self {
        case .userVerified, .verifiedByDevice: [.userVerified]
        case .nearby(how: .code, sameNetwork: _), .nearby(how: .paired, sameNetwork: .yes): [.nearby, .signedByDevice]
        case .nearby(how: .paired, sameNetwork: .no), .nearby(how: .paired, sameNetwork: .unknown): [.signedByDevice]
        case .redirected: [.nearby]
        case .decisionSigned: [.signedByDevice]
        case .accountPassword, .secondFactor, .passkey, .enrolledDevice, .federated, .codeTyped, .personCodeTyped,
            .linkOpened, .ticketPresented, .knownBrowser, .signedInBefore, .namedByClient, .possession, .crossDevice,
            .numberMatched, .network, .reached:
            []
        }
    }
}
