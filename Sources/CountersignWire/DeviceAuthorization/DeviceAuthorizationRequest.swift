/// A screen without a keyboard asks to be signed in.
///
/// ```swift
/// let request = DeviceAuthorizationRequest(scope: Scope([.openid]), deviceName: "Living room TV")
/// let body = request.form.encoded         // scope=openid&device_name=Living+room+TV
/// ```
///
/// Two parameters are additions of Countersign. `device_name` is the screen's name for itself, shown to the person as
/// the screen's own words. `nearby_challenge` is the digest of a ``Countersign/NearbyVerifier``, which proves that a
/// phone nearby spoke with this screen.
/// Standard: RFC 8628 §3.1.
public struct DeviceAuthorizationRequest: Sendable, Equatable {
    /// The longest name that a screen may give itself, 64 characters; a longer one is cut.
    public static let longestDeviceName = 64

    /// The most marks (accents, vowel signs) that one letter may carry; with more it would grow over the page.
    static let mostMarks = 4

    /// The scope that the client asks for; empty when it names none.
    public let scope: Scope
    /// The screen's name for itself; `nil` when it gives no name.
    public let deviceName: String?
    /// The digest of the screen's verifier; `nil` when it asks no phones nearby.
    public let nearbyChallenge: NearbyChallenge?

    /// Creates a request to send.
    public init(scope: Scope, deviceName: String? = nil, nearbyChallenge: NearbyChallenge? = nil) {
        self.scope = scope
        self.deviceName = deviceName
        self.nearbyChallenge = nearbyChallenge
    }

    /// Reads a request. The device's name is sanitized; an unusable one is omitted.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` for a malformed scope, `invalid_request` for a malformed challenge.
    public init(form: Form) throws(OAuthError) {
        scope = try form.scope()
        deviceName = form["device_name"].flatMap { Self.presentable($0) }
        nearbyChallenge = try form.parsed("nearby_challenge") { NearbyChallenge(parsing: $0) }
    }

    /// The form that a screen sends, without its client's credentials.
    public var form: Form {
        ["scope": scope.description, "device_name": deviceName, "nearby_challenge": nearbyChallenge?.description]
    }

    /// Makes text from a stranger safe to show: one line, without control and direction characters, with at most four
    /// marks per letter, cut to a length.
    ///
    /// - Parameters:
    ///   - text: The text as it arrived.
    ///   - limit: The longest result in characters; 64 by default.
    /// - Returns: The text to show; `nil` if nothing is left.
    public static func presentable(_ text: String, upTo limit: Int = longestDeviceName) -> String? {
        var marks = 0
        let printable = text.unicodeScalars.filter { scalar in
            if scalar.isUnsafeToShow { return false }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark:
                marks += 1
                return marks <= mostMarks
            default:
                marks = 0
                return true
            }
        }
        let words = String(String.UnicodeScalarView(printable)).split(whereSeparator: \.isWhitespace)
        let name = trimmed(words.joined(separator: " ").prefix(limit))
        return name.isEmpty ? nil : String(name)
    }
}
