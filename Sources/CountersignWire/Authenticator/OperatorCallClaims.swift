internal import FoundationEssentialsCompat

/// The claims of a call of the operator's webhook: what happened, and the claims of every such call.
struct OperatorCallClaims<Fact: Codable>: Codable {
    let event: String
    let issuer: String
    let issued: Int
    let expires: Int
    let fact: Fact

    private enum CodingKeys: String, CodingKey {
        case event = "jti"
        case issuer = "iss"
        case issued = "iat"
        case expires = "exp"
    }

    init(_ fact: Fact, event: String, issuer: String, at now: Date, lifetime: Int) {
        self.fact = fact
        self.event = event
        self.issuer = issuer
        issued = Int(now.timeIntervalSince1970)
        expires = issued + lifetime
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        event = try members.decode(String.self, forKey: .event)
        issuer = try members.decode(String.self, forKey: .issuer)
        issued = try members.decode(Int.self, forKey: .issued)
        expires = try members.decode(Int.self, forKey: .expires)
        fact = try Fact(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(event, forKey: .event)
        try members.encode(issuer, forKey: .issuer)
        try members.encode(issued, forKey: .issued)
        try members.encode(expires, forKey: .expires)
        try fact.encode(to: encoder)
    }

    /// The token that carries them.
    func text(by secret: WebhookSecret) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return SharedSecretToken.text(of: Array(try encoder.encode(self)), by: secret)
    }
}
