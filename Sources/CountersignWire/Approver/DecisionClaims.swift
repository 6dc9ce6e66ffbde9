/// The claims that an app states when its person decides about a request; the app signs exactly this.
///
/// They identify the server that the decision is for, the answered request, the displayed content, and the way the
/// request was found with the facts that the decision depends on.
///
/// Instants are whole seconds since 1970. `Documentation/Approver.md` has the format.
package struct DecisionClaims: Sendable, Equatable {
    /// The type of the signed text (`typ`).
    package static let type = "countersign-decision+jwt"
    /// The longest signed text that is read, in bytes. A redirect URI alone may have 2,048.
    package static let longest = 16_384

    /// The person's answer.
    package enum Answer: String, Sendable, Hashable, Codable, CaseIterable {
        /// Yes; another app is asked about again the next time.
        case approve
        /// Yes, and what the other app is allowed is remembered.
        case remember
        /// Yes, by what the person allowed the other app before; they were not asked.
        case unasked
        /// No.
        case deny
        /// No, and it was not this person who started it: its client asks them nothing more until they lift that.
        case report
        /// No, and its client asks them nothing more until they lift that.
        case mute

        /// Whether it lets the other side in.
        package var isApproval: Bool {
            switch self {
            case .approve, .remember, .unasked: true
            case .deny, .report, .mute: false
            }
        }
    }

    /// The way the request was found (`method`), and what the decision states of it.
    package enum Finding: Sendable, Equatable {
        /// A link with a screen nearby.
        case nearby(NearbyFinding)
        /// The address that opened the app.
        case authorization(AuthorizationFinding)
        /// The link of a screen on the same device, which opened the app.
        case activation(ActivationFinding)
        /// The inbox of the device.
        case inbox(InboxFinding)

        /// The way alone.
        package var method: ApprovalMethod {
            switch self {
            case .nearby: .nearby
            case .authorization: .authorization
            case .activation: .activation
            case .inbox: .inbox
            }
        }
    }

    /// The issuer of the only server that the decision is for (`aud`).
    package var audience: String
    /// The request that is decided (`exc`).
    package var exchange: SignInRequest.ID
    /// The nonce from the look that the person based the decision on.
    package var nonce: DecisionNonce
    /// The digest of the answer to that look, and so of the displayed facts.
    package var shown: AnswerDigest
    /// The time when the app signed (`iat`).
    package var issued: Int
    /// Identifies this decision, 1 to 128 bytes; no two decisions have the same (`jti`).
    package var id: String
    /// The person's answer (`dec`).
    package var answer: Answer
    /// The way the request was found.
    package var finding: Finding
    /// The time of the sign-in that the person chose with an approval (`session`); `nil` when they chose none. For the
    /// authorization request of another app it counts only where that is for a service.
    package var session: SessionTerm?

    /// Creates the claims to sign.
    ///
    /// - Parameters:
    ///   - answer: The person's answer, or that they were not asked.
    ///   - issued: The current time, in seconds since 1970.
    ///   - id: A new identifier, 1 to 128 bytes.
    package init(
        _ answer: Answer,
        by finding: Finding,
        on look: ApproverLook<some LookDetails>,
        shown: AnswerDigest,
        audience: String,
        issued: Int,
        id: String
    ) {
        self.audience = audience
        exchange = look.exchange
        nonce = look.nonce
        self.shown = shown
        self.issued = issued
        self.id = id
        self.answer = answer
        self.finding = finding
    }
}

extension DecisionClaims: Codable {
    private enum CodingKeys: String, SnakeCaseKey {
        case nonce, shown, method, session
        case audience = "aud"
        case exchange = "exc"
        case issued = "iat"
        case id = "jti"
        case answer = "dec"
    }

    /// The longest identifier that is read, in bytes.
    private static let longestID = 128

    /// Reads the claims strictly: every member must be present in its one form, and the answer must be one of its
    /// method.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        audience = try fields.decode(String.self, forKey: .audience)
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        nonce = DecisionNonce(revealing: try fields.decode(String.self, forKey: .nonce))
        shown = try fields.parsed(.shown) { AnswerDigest(parsing: $0) }
        issued = try fields.decode(Int.self, forKey: .issued)
        id = try fields.parsed(.id) { (1...Self.longestID).contains($0.utf8.count) ? $0 : nil }
        answer = try fields.decode(Answer.self, forKey: .answer)
        finding =
            switch try fields.decode(ApprovalMethod.self, forKey: .method) {
            case .nearby: .nearby(try NearbyFinding(from: decoder))
            case .authorization: .authorization(try AuthorizationFinding(from: decoder))
            case .activation: .activation(try ActivationFinding(from: decoder))
            case .inbox: .inbox(try InboxFinding(from: decoder))
            }
        guard finding.method.answers.contains(answer) else { throw DecodingError.malformed(.answer, in: fields) }
        session = try fields.decodeIfPresent(SessionTerm.self, forKey: .session)
        guard session == nil || answer == .approve else {
            throw DecodingError.malformed(.session, in: fields)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(audience, forKey: .audience)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(nonce.revealed, forKey: .nonce)
        try fields.encode(shown.description, forKey: .shown)
        try fields.encode(issued, forKey: .issued)
        try fields.encode(id, forKey: .id)
        try fields.encode(answer, forKey: .answer)
        try fields.encode(finding.method, forKey: .method)
        try fields.encodeIfPresent(session, forKey: .session)
        switch finding {
        case .nearby(let finding): try finding.encode(to: encoder)
        case .authorization(let finding): try finding.encode(to: encoder)
        case .activation(let finding): try finding.encode(to: encoder)
        case .inbox(let finding): try finding.encode(to: encoder)
        }
    }
}
