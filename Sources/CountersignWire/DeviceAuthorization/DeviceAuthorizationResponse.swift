public import Countersign

/// The pair of codes, and where to take the short one.
///
/// Standard: RFC 8628 §3.2.
public struct DeviceAuthorizationResponse: Sendable, Equatable {
    /// The interval that holds when the server names none, in seconds.
    public static let standardInterval = 5

    public let deviceCode: DeviceCode
    public let userCode: ShownCode
    public let verificationURI: String
    public let verificationURIComplete: String?
    /// How long both codes live, in seconds.
    public let expiresIn: Int
    /// How long to leave at least between two polls, in seconds.
    public let interval: Int

    public init(
        deviceCode: DeviceCode,
        userCode: ShownCode,
        verificationURI: String,
        verificationURIComplete: String?,
        expiresIn: Int,
        interval: Int
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.expiresIn = expiresIn
        self.interval = interval
    }
}

extension DeviceAuthorizationResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case verificationURIComplete = "verification_uri_complete"
        case expiresIn = "expires_in"
        case interval
        /// What some servers, older than the standard, say instead of `verification_uri`.
        case verificationURL = "verification_url"
    }

    /// Writes the device code in the clear: this is the message that carries it to its owner.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(deviceCode.revealed, forKey: .deviceCode)
        try fields.encode(userCode, forKey: .userCode)
        try fields.encode(verificationURI, forKey: .verificationURI)
        try fields.encodeIfPresent(verificationURIComplete, forKey: .verificationURIComplete)
        try fields.encode(expiresIn, forKey: .expiresIn)
        try fields.encode(interval, forKey: .interval)
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        deviceCode = DeviceCode(revealing: try fields.decode(String.self, forKey: .deviceCode))
        userCode = try fields.decode(ShownCode.self, forKey: .userCode)
        verificationURI =
            try fields.decodeIfPresent(String.self, forKey: .verificationURI)
            ?? fields.decode(String.self, forKey: .verificationURL)
        verificationURIComplete = try fields.decodeIfPresent(String.self, forKey: .verificationURIComplete)
        expiresIn = try fields.decode(WholeSeconds.self, forKey: .expiresIn).seconds
        interval =
            try fields.decodeIfPresent(WholeSeconds.self, forKey: .interval)?.seconds ?? Self.standardInterval
    }
}
