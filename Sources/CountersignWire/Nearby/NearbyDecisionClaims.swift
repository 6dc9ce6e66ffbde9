public import Countersign

/// The claims that a phone states when it decides about the request of a nearby screen; it signs exactly this.
///
/// Instants are whole seconds since 1970. `Documentation/NearbyProtocol.md` has the format.
public struct NearbyDecisionClaims: DecisionClaims, Equatable {
    /// The type of the signed text (`typ`).
    public static let type = "countersign-nearby+jwt"

    /// The person's answer.
    public enum Answer: String, Sendable, Hashable, Codable, CaseIterable {
        case approve, deny
    }

    /// The way the phone knows the screen at the other end of the link.
    public enum Proof: Sendable, Hashable {
        /// A person typed the digits that the screen showed.
        case code
        /// The screen holds the key that the phone has remembered since this instant.
        case paired(at: Int)
    }

    /// The claims that every signed decision has.
    public var common: CommonDecisionClaims
    /// The person's answer (`dec`).
    public var answer: Answer
    /// The link of the request (`lnk`).
    public var link: NearbyLinkID
    /// The way the phone knows the screen (`how`, and `pat` for a pairing).
    public var proof: Proof

    /// Creates the claims to sign.
    ///
    /// - Parameters:
    ///   - audience: The issuer's URL, as the phone is configured with it.
    ///   - exchange: The request, from ``NearbyLookResponse/exchange``.
    ///   - nonce: The nonce, from ``NearbyLookResponse/nonce``.
    ///   - answer: The person's answer.
    ///   - shown: The digest of the look's body, byte for byte.
    ///   - link: The link of the request.
    ///   - proof: The way the phone knows the screen.
    ///   - issued: The current time, in seconds since 1970.
    ///   - id: A new identifier, 1 to 128 bytes.
    public init(
        audience: String,
        exchange: SignInRequest.ID,
        nonce: DecisionNonce,
        answer: Answer,
        shown: ShownDigest,
        link: NearbyLinkID,
        proof: Proof,
        issued: Int,
        id: String
    ) {
        common = CommonDecisionClaims(
            audience: audience, exchange: exchange, nonce: nonce, shown: shown, issued: issued, id: id)
        self.answer = answer
        self.link = link
        self.proof = proof
    }
}

extension NearbyDecisionClaims {
    /// The instant since which the screen is known, for a pairing.
    public var instantInThePast: Int? {
        if case .paired(at: let instant) = proof { instant } else { nil }
    }
}

extension NearbyDecisionClaims: Codable {
    private enum CodingKeys: String, CodingKey {
        case answer = "dec"
        case link = "lnk"
        case how
        case paired = "pat"
    }

    private enum How: String, Codable {
        case code, paired
    }

    /// Reads the claims strictly: every member must be there in its one form, and `pat` exactly with a pairing.
    ///
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func broken(_ key: CodingKeys) -> DecodingError {
            .dataCorruptedError(forKey: key, in: fields, debugDescription: "malformed")
        }
        common = try CommonDecisionClaims(from: decoder)
        answer = try fields.decode(Answer.self, forKey: .answer)
        guard let link = NearbyLinkID(parsing: try fields.decode(String.self, forKey: .link)) else {
            throw broken(.link)
        }
        self.link = link
        switch try fields.decode(How.self, forKey: .how) {
        case .code:
            guard !fields.contains(.paired) else { throw broken(.paired) }
            proof = .code
        case .paired:
            proof = .paired(at: try fields.decode(Int.self, forKey: .paired))
        }
    }

    /// Writes the claims.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try common.encode(to: encoder)
        try fields.encode(answer, forKey: .answer)
        try fields.encode(link.description, forKey: .link)
        switch proof {
        case .code:
            try fields.encode(How.code, forKey: .how)
        case .paired(at: let instant):
            try fields.encode(How.paired, forKey: .how)
            try fields.encode(instant, forKey: .paired)
        }
    }
}
