public import Countersign

/// An app on a device asks for an identity of its own.
///
/// All of it is what the app says about itself.
/// Standard: ETSI TS 103 407 §8.2.
public struct ClientRegistrationRequest: Sendable, Equatable {
    /// The longest text of any member, in Unicode scalars: as much as the reference provider has room for.
    public static let longestText = 255

    /// What people are shown as its name.
    public let clientName: String
    /// Names the software: a bundle identifier or a package name, mostly.
    public let softwareID: String
    public let softwareVersion: String

    public init(clientName: String, softwareID: String, softwareVersion: String) {
        self.clientName = clientName
        self.softwareID = softwareID
        self.softwareVersion = softwareVersion
    }

    /// Reads a request.
    ///
    /// - Throws: ``CrossPlatformError`` `invalid_request`, also for an empty text.
    public init(members: TextMembers) throws(CrossPlatformError) {
        try members.require(CodingKeys.allCases.map(\.rawValue))
        func text(_ key: CodingKeys) throws(CrossPlatformError) -> String {
            let text = members[key.rawValue] ?? ""
            guard (1...Self.longestText).contains(text.unicodeScalars.count) else {
                let problem = "the member \(key.rawValue) must have 1 to \(Self.longestText) characters"
                throw CrossPlatformError(.invalidRequest, problem, because: problem)
            }
            return text
        }
        clientName = try text(.clientName)
        softwareID = try text(.softwareID)
        softwareVersion = try text(.softwareVersion)
    }
}

extension ClientRegistrationRequest: Encodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case clientName = "client_name"
        case softwareID = "software_id"
        case softwareVersion = "software_version"
    }
}

/// The identity that the app is known by from now on.
///
/// Standard: ETSI TS 103 407 §8.2.
public struct ClientRegistrationResponse: Sendable, Equatable {
    public let client: ClientID
    public let secret: ClientSecret

    public init(client: ClientID, secret: ClientSecret) {
        self.client = client
        self.secret = secret
    }
}

extension ClientRegistrationResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case client = "client_id"
        case secret = "client_secret"
    }

    /// Writes the secret in the clear: this is the message that carries it to its owner.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(client, forKey: .client)
        try fields.encode(secret.revealed, forKey: .secret)
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        client = try fields.decode(ClientID.self, forKey: .client)
        secret = ClientSecret(revealing: try fields.decode(String.self, forKey: .secret))
    }
}
