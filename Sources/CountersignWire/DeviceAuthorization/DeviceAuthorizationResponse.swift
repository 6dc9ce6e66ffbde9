/// The answer to a device authorization request: a pair of codes, and where to type the short one.
///
/// Three members are additions of Countersign: `countersign_ways`, `countersign_browser_uri` and
/// `countersign_remembered`.
/// Standard: RFC 8628 §3.2.
public struct DeviceAuthorizationResponse: Sendable, Equatable, Codable {
    /// The polling interval when the server names none, in seconds.
    public static let standardInterval = 5

    /// The client's secret for polling for tokens.
    @SecretMember public private(set) var deviceCode: DeviceCode
    /// The code to show to the person.
    public let userCode: UserCodeText
    /// The address to show, where the person types the code.
    public let verificationURI: String
    /// The address with the code filled in, for a link or QR code; `nil` when the server sends none.
    public let verificationURIComplete: String?
    /// The lifetime of both codes, in seconds.
    public let expiresIn: Int
    /// The shortest time between two polls, in seconds.
    public let interval: Int
    /// The ways that policy allows for this request; `nil` at a server that names none, where only the code counts.
    public let ways: Set<SignInWay>?
    /// The address for a browser on the screen's own device; `nil` unless the request named a way back.
    public let browserURI: String?
    /// Whether the person of the request's `id_token_hint` is remembered on this screen; with `false` they ended it, or
    /// never chose it, and the screen forgets them. `nil` for a request without a hint.
    public let isRemembered: Bool?

    /// Creates an answer.
    public init(
        deviceCode: DeviceCode,
        userCode: UserCodeText,
        verificationURI: String,
        verificationURIComplete: String?,
        expiresIn: Int,
        interval: Int,
        ways: Set<SignInWay>? = nil,
        browserURI: String? = nil,
        isRemembered: Bool? = nil
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.expiresIn = expiresIn
        self.interval = interval
        self.ways = ways
        self.browserURI = browserURI
        self.isRemembered = isRemembered
    }

    enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case verificationURIComplete = "verification_uri_complete"
        case expiresIn = "expires_in"
        case interval
        case ways = "countersign_ways"
        case browserURI = "countersign_browser_uri"
        case isRemembered = "countersign_remembered"
    }

    private enum OlderKeys: String, CodingKey {
        /// The member that some servers, older than the standard, send instead of `verification_uri`.
        case verificationURL = "verification_url"
    }

    /// Reads an answer. A missing interval is 5 seconds; `verification_url` is accepted for `verification_uri`, and
    /// numbers in quotes for numbers, because some servers send them. Ways that are not known here are left out.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        _deviceCode = try fields.decode(SecretMember.self, forKey: .deviceCode)
        userCode = try fields.decode(UserCodeText.self, forKey: .userCode)
        verificationURI =
            try fields.decodeIfPresent(String.self, forKey: .verificationURI)
            ?? decoder.container(keyedBy: OlderKeys.self).decode(String.self, forKey: .verificationURL)
        verificationURIComplete = try fields.decodeIfPresent(String.self, forKey: .verificationURIComplete)
        expiresIn = try fields.decode(SecondsMember.self, forKey: .expiresIn).wrappedValue
        interval =
            try fields.decode(OptionalSecondsMember.self, forKey: .interval).wrappedValue ?? Self.standardInterval
        // Members of our own: an odd one of another server's is none.
        ways = try? fields.decode([String].self, forKey: .ways).reduce(into: []) { ways, word in
            if let way = SignInWay(rawValue: word) { ways.insert(way) }
        }
        browserURI = try? fields.decode(String.self, forKey: .browserURI)
        isRemembered = try? fields.decode(Bool.self, forKey: .isRemembered)
    }

    /// The ways as they are written, in the order of ``Countersign/SignInWay``; `nil` when they are not told.
    var writtenWays: [String]? { ways.map { ways in SignInWay.allCases.filter(ways.contains).map(\.rawValue) } }

    /// Writes an answer.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(_deviceCode, forKey: .deviceCode)
        try fields.encode(userCode, forKey: .userCode)
        try fields.encode(verificationURI, forKey: .verificationURI)
        try fields.encodeIfPresent(verificationURIComplete, forKey: .verificationURIComplete)
        try fields.encode(expiresIn, forKey: .expiresIn)
        try fields.encode(interval, forKey: .interval)
        try fields.encodeIfPresent(writtenWays, forKey: .ways)
        try fields.encodeIfPresent(browserURI, forKey: .browserURI)
        try fields.encodeIfPresent(isRemembered, forKey: .isRemembered)
    }
}
