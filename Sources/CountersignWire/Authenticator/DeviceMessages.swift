public import Countersign

/// The status of a device's registration.
public enum RegistrationStatus: String, Sendable, Hashable, Codable, CaseIterable {
    /// No telephone number is proved.
    case unverified
    /// A code was sent to the number that was named.
    case pending
    /// The number is proved.
    case verified
}

/// The description that a device gives of itself when it registers, and the members that it wants to change.
///
/// Members that are left out stay as they are. The names are those of CM Authenticator SDK 4.0.
public struct DeviceDetails: Sendable, Equatable, Codable, Redacted {
    /// The maker of the device, such as `Apple`.
    public var manufacturer: String?
    /// The version of its system.
    public var systemVersion: String?
    /// The version of the app.
    public var appVersion: String?
    /// The identifier of the app, such as `com.example.bank`.
    public var appID: String?
    /// The language of its person, such as `en`.
    public var languageCode: String?
    /// Its model, as people know it.
    public var model: String?
    /// Its model, as the maker numbers it.
    public var modelID: String?
    /// The kind of system, such as `iOS`.
    public var platform: String?
    /// The key that the operator gave to the app.
    public var appKey: String?
    /// The address for push messages, in small hexadecimal digits or as the push service wrote it.
    public var pushToken: String?
    /// Whether the person allows push messages.
    public var isPushEnabled: Bool?
    /// Whether the app was made for development, so that its push messages go to the sandbox.
    public var isDevelopment: Bool?
    /// The telephone number that the person typed.
    public var phoneNumber: String?
    /// The code that the person received.
    public var verificationCode: String?
    /// Proves the key that signs the device's answers, see ``UnverifiedDeviceKeyProof``. This is an addition of
    /// Countersign; the older dialect has no keys.
    public var keyProof: String?
    /// The person's name for the device; an empty text removes it. This is an addition of Countersign.
    public var name: String?

    /// Details that say nothing.
    public init() {}

    /// The longest value of each member that is read, in bytes; a push token may have four times as many.
    public static let longest = 1024

    enum CodingKeys: String, CodingKey, CaseIterable {
        case manufacturer, model, platform, development, name
        case systemVersion = "os_version"
        case appVersion = "app_version"
        case appID = "app_id"
        case languageCode = "language_code"
        case modelID = "model_id"
        case appKey = "app_key"
        case pushToken = "push_token"
        case pushEnabled = "push_enabled"
        case phoneNumber = "phone_number"
        case verificationCode = "verification_code"
        case keyProof = "key_proof"
    }

    /// Reads the details; `null` counts as left out.
    ///
    /// - Throws: `DecodingError` for a member of another kind, or one that is too long.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys, longest: Int = Self.longest) throws -> String? {
            let text = try fields.decodeIfPresent(String.self, forKey: key)
            guard (text?.utf8.count ?? 0) <= longest else {
                throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "too long")
            }
            return text
        }
        manufacturer = try text(.manufacturer)
        systemVersion = try text(.systemVersion)
        appVersion = try text(.appVersion)
        appID = try text(.appID)
        languageCode = try text(.languageCode)
        model = try text(.model)
        modelID = try text(.modelID)
        platform = try text(.platform)
        appKey = try text(.appKey)
        pushToken = try text(.pushToken, longest: 4 * Self.longest)
        isPushEnabled = try fields.decodeIfPresent(Bool.self, forKey: .pushEnabled)
        isDevelopment = try fields.decodeIfPresent(Bool.self, forKey: .development)
        phoneNumber = try text(.phoneNumber)
        verificationCode = try text(.verificationCode)
        keyProof = try text(.keyProof, longest: UnverifiedDeviceKeyProof.longest)
        name = try text(.name)
    }

    /// Writes the details without those that are `nil`.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(manufacturer, forKey: .manufacturer)
        try fields.encodeIfPresent(systemVersion, forKey: .systemVersion)
        try fields.encodeIfPresent(appVersion, forKey: .appVersion)
        try fields.encodeIfPresent(appID, forKey: .appID)
        try fields.encodeIfPresent(languageCode, forKey: .languageCode)
        try fields.encodeIfPresent(model, forKey: .model)
        try fields.encodeIfPresent(modelID, forKey: .modelID)
        try fields.encodeIfPresent(platform, forKey: .platform)
        try fields.encodeIfPresent(appKey, forKey: .appKey)
        try fields.encodeIfPresent(pushToken, forKey: .pushToken)
        try fields.encodeIfPresent(isPushEnabled, forKey: .pushEnabled)
        try fields.encodeIfPresent(isDevelopment, forKey: .development)
        try fields.encodeIfPresent(phoneNumber, forKey: .phoneNumber)
        try fields.encodeIfPresent(verificationCode, forKey: .verificationCode)
        try fields.encodeIfPresent(keyProof, forKey: .keyProof)
        try fields.encodeIfPresent(name, forKey: .name)
    }

    /// The text for a push token that the system gave as bytes: two small hexadecimal digits for each.
    ///
    /// - Parameter bytes: The token.
    public static func pushToken(of bytes: some Sequence<UInt8>) -> String {
        HexadecimalText.encode(bytes)
    }
}

/// The state of a device, as the service answers it.
public struct DeviceRegistration: Sendable, Equatable, Codable {
    /// Identifies a device at the service.
    public struct ID: Identifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The device.
    public var id: ID
    /// The status of its registration.
    public var status: RegistrationStatus
    /// Whether it gets push messages.
    public var isPushEnabled: Bool
    /// Whether its push messages go to the sandbox.
    public var isDevelopment: Bool
    /// Its telephone number; `nil` when there is none.
    public var phoneNumber: String?
    /// Its address for push messages; `nil` when there is none.
    public var pushToken: String?

    /// Describes a device.
    public init(id: ID, status: RegistrationStatus, isPushEnabled: Bool, isDevelopment: Bool) {
        self.id = id
        self.status = status
        self.isPushEnabled = isPushEnabled
        self.isDevelopment = isDevelopment
    }

    enum CodingKeys: String, CodingKey {
        case id
        case status = "registration_status"
        case isPushEnabled = "push_enabled"
        case isDevelopment = "development"
        case phoneNumber = "phone_number"
        case pushToken = "push_token"
    }

    /// Reads an answer; a service that leaves out a truth value means `false`.
    ///
    /// - Throws: `DecodingError` when the identifier or the status is missing, or a member is of another kind.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(ID.self, forKey: .id)
        status = try fields.decode(RegistrationStatus.self, forKey: .status)
        isPushEnabled = try fields.decodeIfPresent(Bool.self, forKey: .isPushEnabled) ?? false
        isDevelopment = try fields.decodeIfPresent(Bool.self, forKey: .isDevelopment) ?? false
        phoneNumber = try fields.decodeIfPresent(String.self, forKey: .phoneNumber)
        pushToken = try fields.decodeIfPresent(String.self, forKey: .pushToken)
    }
}

/// An environment in the list of a device's registrations.
public struct ListedEnvironment: Sendable, Hashable, Codable {
    /// The environment.
    public var id: EnvironmentID
    /// Its name, as its customer wrote it.
    public var name: String
    /// The address of its picture; `nil` for none.
    public var iconURL: String?

    /// Describes an environment.
    public init(id: EnvironmentID, name: String, iconURL: String? = nil) {
        self.id = id
        self.name = name
        self.iconURL = iconURL
    }

    enum CodingKeys: String, CodingKey {
        case id, name
        case iconURL = "icon_url"
    }
}

/// The form of all errors of the older dialect.
///
/// `401` is a wrong identifier or secret, `410` a request that has expired.
public struct AuthenticatorError: Error, Sendable, Equatable, Codable {
    /// The status of HTTP, once more.
    public var status: Int
    /// The error, as a sentence for people who debug.
    public var message: String

    /// An error.
    public init(status: Int, message: String) {
        self.status = status
        self.message = message
    }
}
