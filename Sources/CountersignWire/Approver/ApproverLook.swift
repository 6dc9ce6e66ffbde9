/// The facts that the server knows of a request: the app shows exactly this, and signs that it did.
///
/// Instants are whole seconds since 1970.
@dynamicMemberLookup
public struct ApproverLook<Details: LookDetails>: Sendable, Equatable {
    /// Identifies the request; no secret.
    public var exchange: SignInRequest.ID
    /// Permits one decision, by this account and app.
    package var nonce: DecisionNonce
    /// The client that asks: verified when it authenticated, or when no other can receive its answer and redeem it;
    /// asserted when any app could have named it.
    public var client: Fact<ClientID>
    /// The client's name for people; as believable as the client itself, or less.
    public var clientName: Fact<String>
    /// The scope that it asks for; verified.
    public var scope: Scope
    /// The time of the request, observed by the server; that of the look for an authorization request.
    public var asked: Int
    /// The time when it becomes too late to decide.
    public var expires: Int
    /// The time of the server's clock.
    public var serverTime: Int
    /// The name of the person whose app looks.
    public var accountName: String
    /// The program that asks to act for the person, as it says itself; `nil` for a screen or app of theirs.
    public var service: LookService?
    /// The facts specific to requests found in this way.
    public var details: Details

    /// Creates the outcome that an app receives.
    package init(
        exchange: SignInRequest.ID,
        nonce: DecisionNonce,
        client: Fact<ClientID>,
        clientName: Fact<String>,
        scope: Scope,
        asked: Int,
        expires: Int,
        serverTime: Int,
        accountName: String,
        details: Details
    ) {
        self.exchange = exchange
        self.nonce = nonce
        self.client = client
        self.clientName = clientName
        self.scope = scope
        self.asked = asked
        self.expires = expires
        self.serverTime = serverTime
        self.accountName = accountName
        self.details = details
    }

    /// A fact that only such a request has.
    ///
    /// - Parameter member: The fact.
    public subscript<Value>(dynamicMember member: KeyPath<Details, Value>) -> Value { details[keyPath: member] }
}

private enum LookKey: String, SnakeCaseKey {
    case method, exchange, nonce, clientProvenance, clientName, clientNameProvenance, scope, asked, expires,
        accountName, service
    case client = "client_id"
    case serverTime = "now"
}

extension ApproverLook: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: LookKey.self)
        guard try fields.decode(ApprovalMethod.self, forKey: .method) == Details.method else {
            throw DecodingError.malformed(.method, in: fields)
        }
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        nonce = DecisionNonce(revealing: try fields.decode(String.self, forKey: .nonce))
        client = Fact(
            try fields.decode(ClientID.self, forKey: .client),
            try fields.decode(Provenance.self, forKey: .clientProvenance)
        )
        clientName = Fact(
            try fields.decode(String.self, forKey: .clientName),
            try fields.decode(Provenance.self, forKey: .clientNameProvenance)
        )
        scope = try fields.parsed(.scope) { Scope(parsing: $0) }
        asked = try fields.decode(Int.self, forKey: .asked)
        expires = try fields.decode(Int.self, forKey: .expires)
        serverTime = try fields.decode(Int.self, forKey: .serverTime)
        accountName = try fields.decode(String.self, forKey: .accountName)
        service = try fields.decodeIfPresent(LookService.self, forKey: .service)
        details = try Details(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: LookKey.self)
        try fields.encode(Details.method, forKey: .method)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(nonce.revealed, forKey: .nonce)
        try fields.encode(client.value, forKey: .client)
        try fields.encode(client.provenance, forKey: .clientProvenance)
        try fields.encode(clientName.value, forKey: .clientName)
        try fields.encode(clientName.provenance, forKey: .clientNameProvenance)
        try fields.encode(scope.description, forKey: .scope)
        try fields.encode(asked, forKey: .asked)
        try fields.encode(expires, forKey: .expires)
        try fields.encode(serverTime, forKey: .serverTime)
        try fields.encode(accountName, forKey: .accountName)
        try fields.encodeIfPresent(service, forKey: .service)
        try details.encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// A value in its one written form.
    func parsed<Value>(_ key: Key, _ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(try decode(String.self, forKey: key)) else {
            throw DecodingError.malformed(key, in: self)
        }
        return value
    }
}

extension DecodingError {
    static func malformed<Key>(_ key: Key, in fields: KeyedDecodingContainer<Key>) -> Self {
        .dataCorruptedError(forKey: key, in: fields, debugDescription: "malformed")
    }
}
