public import Countersign

/// A screen without a keyboard asks to be signed in.
///
/// Standard: RFC 8628 §3.1. `device_name` is an addition of ours: what the screen calls itself, shown to the person as
/// the screen's own words. So is `nearby_challenge`: the digest of what this screen alone holds, by which a phone nearby
/// is known to have spoken with it.
public struct DeviceAuthorizationRequest: Sendable, Equatable {
    /// The longest name that a screen may give itself, in characters; a longer one is cut.
    public static let longestDeviceName = 64

    /// The most marks (accents, vowel signs) that one letter may carry; with more it would grow over the page.
    static let mostMarks = 4

    public let scope: Scope
    public let deviceName: String?
    public let nearbyChallenge: NearbyChallenge?

    public init(scope: Scope, deviceName: String? = nil, nearbyChallenge: NearbyChallenge? = nil) {
        self.scope = scope
        self.deviceName = deviceName
        self.nearbyChallenge = nearbyChallenge
    }

    /// Reads a request's form.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` for a malformed scope, `invalid_request` for a malformed challenge.
    public init(form: Form) throws(OAuthError) {
        scope = try form.scope()
        deviceName = form["device_name"].flatMap { Self.presentable($0) }
        nearbyChallenge = try form["nearby_challenge"].map { text throws(OAuthError) in
            guard let challenge = NearbyChallenge(parsing: text) else {
                throw OAuthError(.invalidRequest, "nearby_challenge is malformed", because: "malformed challenge")
            }
            return challenge
        }
    }

    /// The form that a screen sends, without its client's credentials.
    public var form: Form {
        var form = Form()
        form["scope"] = scope.isEmpty ? nil : scope.description
        form["device_name"] = deviceName
        form["nearby_challenge"] = nearbyChallenge?.description
        return form
    }

    /// A name as it may be shown: one line, no control or direction characters, not too long; `nil` if nothing is left.
    public static func presentable(_ text: String, upTo limit: Int = longestDeviceName) -> String? {
        var marks = 0
        let printable = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                return false
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
