public import Countersign

/// A phone looks up the request of a screen that it has a link with.
///
/// It sends the verifier that the screen gave it, and its own access token in the `Authorization` header.
public struct NearbyLookRequest: Sendable, Equatable {
    /// The code as the screen gave it; the server interprets it.
    public let userCode: ShownCode
    /// The secret that the screen gave.
    public let verifier: NearbyVerifier

    /// Creates a request to send.
    public init(userCode: ShownCode, verifier: NearbyVerifier) {
        self.userCode = userCode
        self.verifier = verifier
    }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when a parameter is missing or the verifier is malformed.
    public init(form: Form) throws(OAuthError) {
        userCode = ShownCode(try form.required("user_code"))
        guard let verifier = NearbyVerifier(parsing: try form.required("verifier")) else {
            throw OAuthError(.invalidRequest, "the verifier is malformed", because: "malformed verifier")
        }
        self.verifier = verifier
    }

    /// The form that a phone sends.
    public var form: Form {
        var form = Form()
        form["user_code"] = userCode.rawValue
        form["verifier"] = verifier.revealed
        return form
    }
}

/// The facts that the server knows of the request: the phone shows exactly this, and signs that it did.
///
/// Instants are whole seconds since 1970.
public struct NearbyLookResponse: Sendable, Equatable {
    /// Identifies the request; no secret.
    public let exchange: SignInRequest.ID
    /// Permits one decision, by this account and phone.
    public let nonce: DecisionNonce
    /// The app that asks: verified when it authenticated with its secret, asserted when any app could have named it.
    public let client: Fact<ClientID>
    /// The app's name for people; as believable as the app itself, or less.
    public let clientName: Fact<String>
    /// The scope that it asks for; verified.
    public let scope: Scope
    /// The network address that it asks from, observed; `nil` when the server saw none.
    public let address: String?
    /// The time when it asked, observed by the server.
    public let asked: Int
    /// The time when it becomes too late to decide.
    public let expires: Int
    /// Whether the server observes both devices in the same network.
    public let sameNetwork: SameNetwork
    /// The name of the person as whom the screen would be signed in.
    public let accountName: String

    /// Creates an answer.
    public init(
        exchange: SignInRequest.ID,
        nonce: DecisionNonce,
        client: Fact<ClientID>,
        clientName: Fact<String>,
        scope: Scope,
        address: String?,
        asked: Int,
        expires: Int,
        sameNetwork: SameNetwork,
        accountName: String
    ) {
        self.exchange = exchange
        self.nonce = nonce
        self.client = client
        self.clientName = clientName
        self.scope = scope
        self.address = address
        self.asked = asked
        self.expires = expires
        self.sameNetwork = sameNetwork
        self.accountName = accountName
    }
}

extension NearbyLookResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case accountName = "account_name"
        case address, asked
        case client = "client_id"
        case clientName = "client_name"
        case clientNameProvenance = "client_name_provenance"
        case clientProvenance = "client_provenance"
        case exchange, expires, nonce
        case sameNetwork = "same_network"
        case scope
    }

    /// Writes the nonce in the clear: this is the message that carries it to its phone.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(nonce.revealed, forKey: .nonce)
        try fields.encode(client.value, forKey: .client)
        try fields.encode(client.provenance, forKey: .clientProvenance)
        try fields.encode(clientName.value, forKey: .clientName)
        try fields.encode(clientName.provenance, forKey: .clientNameProvenance)
        try fields.encode(scope.description, forKey: .scope)
        try fields.encodeIfPresent(address, forKey: .address)
        try fields.encode(asked, forKey: .asked)
        try fields.encode(expires, forKey: .expires)
        try fields.encode(sameNetwork, forKey: .sameNetwork)
        try fields.encode(accountName, forKey: .accountName)
    }

    /// Reads an answer.
    ///
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
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
        guard let scope = Scope(parsing: try fields.decode(String.self, forKey: .scope)) else {
            throw DecodingError.dataCorruptedError(forKey: .scope, in: fields, debugDescription: "no scope")
        }
        self.scope = scope
        address = try fields.decodeIfPresent(String.self, forKey: .address)
        asked = try fields.decode(Int.self, forKey: .asked)
        expires = try fields.decode(Int.self, forKey: .expires)
        sameNetwork = try fields.decode(SameNetwork.self, forKey: .sameNetwork)
        accountName = try fields.decode(String.self, forKey: .accountName)
    }
}
