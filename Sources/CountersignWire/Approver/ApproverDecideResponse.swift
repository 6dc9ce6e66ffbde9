/// The server's confirmation that it recorded a decision, which is now final.
package struct ApproverDecideResponse: Sendable, Equatable {
    /// The outcome of a decision.
    package enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// The other side is admitted.
        case approved
        /// The other side is notified that the person denied.
        case denied
        /// The same; the person did not start it, and its client asks them nothing more.
        case reported
        /// The same, without a report.
        case muted
        /// The person approved, and the server's rules do not allow it; the other app is notified.
        case refused
    }

    package let exchange: SignInRequest.ID
    package let outcome: Outcome
    /// The address to open, which returns the answer to the requesting app; `nil` if the server delivers it.
    package let location: AuthorizationAnswerAddress?

    /// Creates a confirmation.
    package init(exchange: SignInRequest.ID, outcome: Outcome, location: AuthorizationAnswerAddress? = nil) {
        self.exchange = exchange
        self.outcome = outcome
        self.location = location
    }
}

extension DecisionClaims.Answer {
    /// The outcome if the server accepts the person's answer.
    package var outcome: ApproverDecideResponse.Outcome {
        switch self {
        case .approve, .remember, .unasked: .approved
        case .deny: .denied
        case .report: .reported
        case .mute: .muted
        }
    }
}

extension ApproverDecideResponse: Codable {
    private enum CodingKeys: String, CodingKey { case exchange, outcome, location }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        outcome = try fields.decode(Outcome.self, forKey: .outcome)
        location = try fields.decodeIfPresent(String.self, forKey: .location)
            .map { AuthorizationAnswerAddress(revealing: $0) }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(outcome, forKey: .outcome)
        try fields.encodeIfPresent(location?.revealed, forKey: .location)
    }
}
