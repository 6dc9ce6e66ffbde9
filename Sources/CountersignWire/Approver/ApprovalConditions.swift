public import Countersign

/// The conditions for an approval by the device that looks at a request.
public struct ApprovalConditions: Sendable, Equatable {
    /// The first demand that an approval by the device does not meet; `nil` when it can approve.
    public var obstacle: ApprovalObstacle?
    /// Whether an approval that states that the device verified its person (`uv`) meets the demands all the same.
    public var isVerificationEnough = false
    /// The times of the sign-in to choose from; empty for a request without a choice.
    public var sessionTerms: [SessionTerm] = []
    /// The end of the device's own sign-in, which nothing that it approves outlasts, in seconds since 1970; `nil` for one
    /// that does not end by itself.
    public var sessionLimit: Int?
    /// Whether the asking screen remembers the person already, which no chosen time ends.
    public var isRemembered = false

    /// Creates conditions without an obstacle and a choice.
    public init() {}
}

extension ApprovalConditions: Codable {
    private enum CodingKeys: String, SnakeCaseKey {
        case obstacle, sessionTerms, sessionLimit
        case isVerificationEnough = "uv_suffices"
        case isRemembered = "remembered"
    }

    /// Reads the members; times that are not known are skipped.
    ///
    /// - Throws: `DecodingError` for a member of another type.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        obstacle = try fields.decodeIfPresent(ApprovalObstacle.self, forKey: .obstacle)
        isVerificationEnough = try fields.decodeIfPresent(Bool.self, forKey: .isVerificationEnough) ?? false
        let terms = try fields.decodeIfPresent([String].self, forKey: .sessionTerms) ?? []
        sessionTerms = terms.compactMap { SessionTerm(rawValue: $0) }
        sessionLimit = try fields.decodeIfPresent(Int.self, forKey: .sessionLimit)
        isRemembered = try fields.decodeIfPresent(Bool.self, forKey: .isRemembered) ?? false
    }

    /// Writes the members, without those that are `false` or empty.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(obstacle, forKey: .obstacle)
        if isVerificationEnough { try fields.encode(true, forKey: .isVerificationEnough) }
        if !sessionTerms.isEmpty { try fields.encode(sessionTerms, forKey: .sessionTerms) }
        try fields.encodeIfPresent(sessionLimit, forKey: .sessionLimit)
        if isRemembered { try fields.encode(true, forKey: .isRemembered) }
    }
}
