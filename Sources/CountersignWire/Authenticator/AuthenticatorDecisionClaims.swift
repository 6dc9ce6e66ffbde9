public import Countersign

/// The claims that an enrolled device states when its person answers a request; it signs exactly this.
///
/// Instants are whole seconds since 1970. `Documentation/Authenticator.md` has the format.
public struct AuthenticatorDecisionClaims: DecisionClaims, Equatable {
    /// The type of the signed text (`typ`).
    public static let type = "countersign-authenticator+jwt"

    /// The person's answer.
    public enum Answer: String, Sendable, Hashable, Codable, CaseIterable {
        /// Yes.
        case approve
        /// No.
        case deny
        /// No, and it was not this person who started it: its client asks them nothing more until they lift that.
        case report

        /// Whether it lets the other side in.
        public var isApproval: Bool { self == .approve }
    }

    /// The claims that every signed decision has.
    public var common: CommonDecisionClaims
    /// The person's answer (`dec`).
    public var answer: Answer
    /// The digits that the person typed from the other screen (`num`); `nil` when none were asked for.
    public var number: String?
    /// The person's words about a report, at most 200 bytes; `nil` for nothing.
    public var reason: String?
    /// Whether the device verified the person, by a biometric or a PIN, for this signature (`uv`).
    public var isUserVerified: Bool

    /// Creates the claims to sign.
    ///
    /// - Parameters:
    ///   - audience: The issuer's URL, as the device is configured with it.
    ///   - exchange: The request, from ``AuthenticatorLookResponse/exchange``.
    ///   - nonce: The nonce, from ``AuthenticatorLookResponse/nonce``.
    ///   - answer: The person's answer.
    ///   - shown: The digest of the look's body, byte for byte.
    ///   - number: The digits that the person typed; `nil`, the default, for none.
    ///   - reason: The person's words about a report, at most 200 bytes; `nil`, the default, for nothing.
    ///   - isUserVerified: Whether the device verified the person for this signature; `false` by default.
    ///   - issued: The current time, in seconds since 1970.
    ///   - id: A new identifier, 1 to 128 bytes.
    public init(
        audience: String,
        exchange: SignInRequest.ID,
        nonce: DecisionNonce,
        answer: Answer,
        shown: ShownDigest,
        number: String? = nil,
        reason: String? = nil,
        isUserVerified: Bool = false,
        issued: Int,
        id: String
    ) {
        common = CommonDecisionClaims(
            audience: audience, exchange: exchange, nonce: nonce, shown: shown, issued: issued, id: id)
        self.answer = answer
        self.number = number
        self.reason = reason
        self.isUserVerified = isUserVerified
    }
}

extension AuthenticatorDecisionClaims: Codable {
    private enum CodingKeys: String, CodingKey {
        case answer = "dec"
        case number = "num"
        case reason
        case isUserVerified = "uv"
    }

    /// The longest reason that is read, in bytes.
    public static let longestReason = 200
    /// The most digits that are read.
    private static let mostDigits = 8

    /// Reads the claims strictly: each member in its one form, `num` as 1 to 8 digits, `uv` as `true` or not at all.
    ///
    /// - Throws: `DecodingError` when a member that is needed is missing, or one is malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func checked<Value>(_ value: Value, _ key: CodingKeys, _ isGood: (Value) -> Bool) throws -> Value {
            guard isGood(value) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "malformed")
            }
            return value
        }
        common = try CommonDecisionClaims(from: decoder)
        answer = try fields.decode(Answer.self, forKey: .answer)
        number = try fields.decodeIfPresent(String.self, forKey: .number).map { number in
            try checked(number, .number) {
                (1...Self.mostDigits).contains($0.utf8.count)
                    && $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        }
        reason = try fields.decodeIfPresent(String.self, forKey: .reason).map { reason in
            try checked(reason, .reason) { $0.utf8.count <= Self.longestReason }
        }
        isUserVerified =
            try fields.decodeIfPresent(Bool.self, forKey: .isUserVerified)
            .map { try checked($0, .isUserVerified) { $0 } } ?? false
    }

    /// Writes the claims.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try common.encode(to: encoder)
        try fields.encode(answer, forKey: .answer)
        try fields.encodeIfPresent(number, forKey: .number)
        try fields.encodeIfPresent(reason, forKey: .reason)
        if isUserVerified { try fields.encode(true, forKey: .isUserVerified) }
    }
}

/// A signed decision of an enrolled device.
public typealias UnverifiedAuthenticatorDecision = UnverifiedDecision<AuthenticatorDecisionClaims>

/// The server's confirmation that it recorded the answer of an enrolled device, which is now final.
public struct AuthenticatorDecideResponse: Sendable, Equatable, Codable {
    /// The request that was answered.
    public let exchange: SignInRequest.ID
    /// The answer that was recorded.
    public let decision: AuthenticatorDecisionClaims.Answer

    /// Creates a confirmation.
    public init(exchange: SignInRequest.ID, decision: AuthenticatorDecisionClaims.Answer) {
        self.exchange = exchange
        self.decision = decision
    }
}
