public import Countersign

/// The facts that the server knows of a request that waits for a person: their device shows exactly this, and signs
/// that it did.
///
/// Instants are whole seconds since 1970.
public struct AuthenticatorLookResponse: Sendable, Equatable {
    /// The request.
    public var exchange: SignInRequest.ID
    /// Permits one decision, by this account and device.
    public var nonce: DecisionNonce
    /// The kind of answer that it wants from its person.
    public var kind: AuthenticationRequest.Kind
    /// The app or the customer that asks, which has authenticated.
    public var client: Fact<ClientID>
    /// Its name for people.
    public var clientName: Fact<String>
    /// The environment of the request; `nil` for a request that no environment made.
    public var environment: ListedEnvironment?
    /// The scope that it asks for; verified.
    public var scope: Scope
    /// The words of the party that asks, which the person should also see where they started; `nil` for nothing.
    public var message: String?
    /// The address of the person who signs in, as the party that asks said it; `nil` when it said none.
    public var address: String?
    /// The place of that address, as far as the server knows; `nil` when it does not.
    public var place: AuthenticationRequest.Location?
    /// The creation time, observed by the server.
    public var asked: Int
    /// The expiry: an answer after it is too late.
    public var expires: Int
    /// The time of the server's clock.
    public var serverTime: Int
    /// The number of digits that the other screen shows and the person has to type to approve; `nil` when there are
    /// none.
    public var numberDigits: Int?
    /// The one-time password that the person types at the other screen; `nil` for a request to approve.
    public var pin: String?
    /// The name of the person whose device looks.
    public var accountName: String

    /// Creates an answer; what is not a parameter is `nil`.
    public init(
        exchange: SignInRequest.ID,
        nonce: DecisionNonce,
        kind: AuthenticationRequest.Kind,
        client: Fact<ClientID>,
        clientName: Fact<String>,
        scope: Scope,
        asked: Int,
        expires: Int,
        serverTime: Int,
        accountName: String
    ) {
        self.exchange = exchange
        self.nonce = nonce
        self.kind = kind
        self.client = client
        self.clientName = clientName
        self.scope = scope
        self.asked = asked
        self.expires = expires
        self.serverTime = serverTime
        self.accountName = accountName
    }
}

extension AuthenticatorLookResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case accountName = "account_name"
        case address, asked
        case client = "client_id"
        case clientName = "client_name"
        case clientNameProvenance = "client_name_provenance"
        case clientProvenance = "client_provenance"
        case environment, exchange, expires
        case kind = "auth_type"
        case message = "binding_message"
        case nonce
        case serverTime = "now"
        case numberDigits = "number_digits"
        case pin
        case place = "geoip"
        case scope
    }

    /// Writes the nonce in the clear: this is the message that carries it to its device.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(nonce.revealed, forKey: .nonce)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(client.value, forKey: .client)
        try fields.encode(client.provenance, forKey: .clientProvenance)
        try fields.encode(clientName.value, forKey: .clientName)
        try fields.encode(clientName.provenance, forKey: .clientNameProvenance)
        try fields.encodeIfPresent(environment, forKey: .environment)
        try fields.encode(scope.description, forKey: .scope)
        try fields.encodeIfPresent(message, forKey: .message)
        try fields.encodeIfPresent(address, forKey: .address)
        try fields.encodeIfPresent(place, forKey: .place)
        try fields.encode(asked, forKey: .asked)
        try fields.encode(expires, forKey: .expires)
        try fields.encode(serverTime, forKey: .serverTime)
        try fields.encodeIfPresent(numberDigits, forKey: .numberDigits)
        try fields.encodeIfPresent(pin, forKey: .pin)
        try fields.encode(accountName, forKey: .accountName)
    }

    /// Reads an answer.
    ///
    /// - Throws: `DecodingError` when a member that is needed is missing, or one is malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard let scope = Scope(parsing: try fields.decode(String.self, forKey: .scope)) else {
            throw DecodingError.dataCorruptedError(forKey: .scope, in: fields, debugDescription: "no scope")
        }
        self.init(
            exchange: try fields.decode(SignInRequest.ID.self, forKey: .exchange),
            nonce: DecisionNonce(revealing: try fields.decode(String.self, forKey: .nonce)),
            kind: try fields.decode(AuthenticationRequest.Kind.self, forKey: .kind),
            client: Fact(
                try fields.decode(ClientID.self, forKey: .client),
                try fields.decode(Provenance.self, forKey: .clientProvenance)
            ),
            clientName: Fact(
                try fields.decode(String.self, forKey: .clientName),
                try fields.decode(Provenance.self, forKey: .clientNameProvenance)
            ),
            scope: scope,
            asked: try fields.decode(Int.self, forKey: .asked),
            expires: try fields.decode(Int.self, forKey: .expires),
            serverTime: try fields.decode(Int.self, forKey: .serverTime),
            accountName: try fields.decode(String.self, forKey: .accountName)
        )
        environment = try fields.decodeIfPresent(ListedEnvironment.self, forKey: .environment)
        message = try fields.decodeIfPresent(String.self, forKey: .message)
        address = try fields.decodeIfPresent(String.self, forKey: .address)
        place = try fields.decodeIfPresent(AuthenticationRequest.Location.self, forKey: .place)
        numberDigits = try fields.decodeIfPresent(Int.self, forKey: .numberDigits)
        pin = try fields.decodeIfPresent(String.self, forKey: .pin)
    }
}
