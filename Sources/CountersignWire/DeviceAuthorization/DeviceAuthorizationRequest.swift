/// A screen without a keyboard asks to be signed in.
///
/// ```swift
/// let request = DeviceAuthorizationRequest(scope: Scope([.openid]), deviceName: "Living room TV")
/// let body = request.form.encoded         // scope=openid&device_name=Living+room+TV
/// ```
///
/// Ten parameters are additions of Countersign. `device_name` is the screen's name for itself, shown to the person as
/// the screen's own words. `nearby_challenge` is the digest of a ``Countersign/NearbyVerifier``, which proves that a
/// phone nearby spoke with this screen. `redirect_uri` and `state` are the way back from a browser on the screen's own
/// device, as in an authorization request. `id_token_hint` names the person who is remembered on this screen, and who is
/// asked on their devices, too. `acr_values` and `max_age` ask for classes of authentication and for a recent one as an
/// authorization request does, to answer the challenge of a service (RFC 9470 §4).
/// `person_code` is the ``Countersign/PersonCode`` that a person got where they are signed in and typed on this screen:
/// the request is for that person alone. A wrong, used or expired one is answered by `invalid_grant`.
/// `service_purpose` and `service_until` say that a program will act for the person: ``Countersign/GuestService``.
/// Standard: RFC 8628 §3.1; RFC 10027 §6.1.15 for a person who authenticates before the request begins; RFC 6749 §4.1.1 (`redirect_uri`, `state`); OpenID Connect Core 1.0 §3.1.2.1
/// (`id_token_hint`, `acr_values`, `max_age`).
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
    /// The way back from a browser on the screen's own device; `nil`, the default, when it opens none.
    public var browserReturn: BrowserReturn?
    /// An ID token of the person who is remembered on this screen, not verified yet; `nil`, the default, when it
    /// remembers nobody.
    public var rememberedPerson: UnverifiedIDToken?
    /// The classes of authentication that will do, the best first; empty, the default, when any will.
    public var acrValues: [String] = []
    /// The greatest age of the person's authentication, in seconds; `nil`, the default, for any.
    public var maxAge: Int?
    /// The code that a person typed on this screen; `nil`, the default, for none.
    public var personCode: PersonCode?
    /// The program that will act for the person; `nil`, the default, for a screen or app of theirs.
    public var service: GuestService?

    /// Creates a request to send.
    public init(scope: Scope, deviceName: String? = nil, nearbyChallenge: NearbyChallenge? = nil) {
        self.scope = scope
        self.deviceName = deviceName
        self.nearbyChallenge = nearbyChallenge
    }

    /// Reads a request. The device's name is sanitized; an unusable one is omitted.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope` for a malformed scope, `invalid_request` for a malformed challenge,
    ///   redirect URI, age, code or service.
    public init(form: Form) throws(OAuthError) {
        scope = try form.scope()
        deviceName = form["device_name"].flatMap { Self.presentable($0) }
        nearbyChallenge = try form.parsed("nearby_challenge") { NearbyChallenge(parsing: $0) }
        browserReturn = try BrowserReturn(form: form)
        rememberedPerson = form["id_token_hint"].map { UnverifiedIDToken(revealing: $0) }
        acrValues = (form["acr_values"] ?? "").split(separator: " ").map(String.init)
        maxAge = try form.parsed("max_age", by: AuthorizationRequest.seconds)
        personCode = try form.parsed("person_code") { PersonCode(parsing: $0) }
        service = try form.service()
    }

    /// The form that a screen sends, without its client's credentials.
    public var form: Form {
        let form: Form = [
            "scope": scope.description, "device_name": deviceName, "nearby_challenge": nearbyChallenge?.description,
            "redirect_uri": browserReturn?.redirectURI.text, "state": browserReturn?.state,
            "id_token_hint": rememberedPerson?.revealed,
            "acr_values": acrValues.isEmpty ? nil : acrValues.joined(separator: " "),
            "max_age": maxAge?.description, "person_code": personCode?.revealed,
        ]
        return form.naming(service)
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
