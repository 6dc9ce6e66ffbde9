/// An app instance requests its own client identity.
///
/// Everything in it is what the app claims about itself. It is sent as JSON by `POST` to `/register`.
/// Standard: ETSI TS 103 407 §8.2.
public struct ClientRegistrationRequest: Sendable, Equatable {
    /// The longest text of any member, 255 Unicode scalars, which is what the reference provider stores.
    public static let longestText = 255

    /// The display name.
    public let clientName: String
    /// Identifies the software, usually by a bundle identifier or package name.
    public let softwareID: String
    /// The version of the software, in any form.
    public let softwareVersion: String

    /// Creates a request to send; a provider refuses a text that is empty or longer than ``longestText``.
    public init(clientName: String, softwareID: String, softwareVersion: String) {
        self.clientName = clientName
        self.softwareID = softwareID
        self.softwareVersion = softwareVersion
    }

    /// Reads a request.
    ///
    /// - Parameter members: The members of the body: exactly `client_name`, `software_id` and `software_version`.
    /// - Throws: ``CrossPlatformError`` `invalid_request` when a member is missing, unknown, empty or longer than 255
    ///   Unicode scalars.
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

/// The identity of the app at the provider from now on.
///
/// Standard: ETSI TS 103 407 §8.2.
package struct ClientRegistrationResponse: Sendable, Equatable, Codable {
    /// The new client (`client_id`).
    package let client: ClientID
    /// The secret that authenticates it (`client_secret`).
    @SecretMember package private(set) var secret: ClientSecret

    /// Creates an answer.
    package init(client: ClientID, secret: ClientSecret) {
        self.client = client
        self.secret = secret
    }

    enum CodingKeys: String, CodingKey {
        case client = "client_id"
        case secret = "client_secret"
    }
}
