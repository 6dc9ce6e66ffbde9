/// An address that the system opens the provider's own app with: the authorization request of another app, or the request
/// of a screen on the same device.
///
/// ```swift
/// let address = AuthorizationAddress(parsing: "https://id.example.com/authorize?client_id=app&request_uri=urn:x")
/// let isOurs = address?.isAt("https://id.example.com/authorize") ?? false
/// ```
///
/// Reading is total. It only identifies the request in the address: only the server, which knows the clients, judges
/// it.
///
/// Standard: RFC 6749 §3.1, §4.1.1; RFC 8628 §3.3.1 with a redirect URI, which is an addition of Countersign.
public struct AuthorizationAddress: Sendable, Equatable {
    /// The request that an address has.
    public enum Kind: Sendable, Equatable {
        /// The authorization request of an app; the request is `nil` when it is stored at the server or signed (RFC 9126,
        /// RFC 9101), or is no good one.
        case authorization(of: ClientID, AuthorizationRequest?)
        /// The request of a screen on this device, by its code, and the way back to it, as
        /// ``DeviceAuthorizationResponse/browserURI`` has them.
        case activation(UserCodeText, returningTo: RedirectURI)
        /// Neither: a page for the browser, as the link of a screen elsewhere.
        case page
    }

    /// The longest address that is read, in bytes.
    public static let longest = 16_384

    /// The whole address, without a fragment.
    public let text: String
    /// The unparsed parameters of the address, without the question mark.
    public let parameters: String
    /// The request in it.
    public let kind: Kind
    /// The part before the parameters, normalized for comparison.
    private let place: String

    /// Reads a whole address; `nil` unless it is an absolute URI in ASCII of at most ``longest`` bytes.
    public init?(parsing text: String) {
        let text = String(text.prefix { $0 != "#" })
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let mark = text.utf8.firstIndex(of: UInt8(ascii: "?"))
        guard let place = Self.place(text[..<(mark ?? text.endIndex)]) else { return nil }
        self.text = text
        self.place = place
        parameters = mark.map { String(text[text.utf8.index(after: $0)...]) } ?? ""
        kind = Kind(parameters)
    }

    /// Whether this is an address of a page of the provider, or of its app.
    ///
    /// - Parameter page: That address, without a query. Scheme and host are compared without regard to case, all else
    ///   letter by letter.
    public func isAt(_ page: String) -> Bool { Self.place(page[...]) == place }

    /// Whether a browser can open it.
    package var isWebAddress: Bool { place.hasPrefix("https://") || place.hasPrefix("http://") }

    /// An address without its query, with scheme and host in small letters; `nil` when it has no scheme.
    private static func place(_ text: Substring) -> String? {
        guard let colon = text.firstIndex(of: ":"), text.startIndex < colon else { return nil }
        let rest = text[text.index(after: colon)...]
        let scheme = text[...colon].lowercased()
        guard rest.hasPrefix("//") else { return scheme + rest }
        let host = rest.dropFirst(2).prefix { $0 != "/" }
        return "\(scheme)//\(host.lowercased())\(rest.dropFirst(2 + host.count))"
    }
}

extension AuthorizationAddress.Kind {
    /// Reads parameters. Those that identify the request count once each, and only together with none of the other kind.
    fileprivate init(_ parameters: String) {
        guard let read = try? Form.toleratingRepeats(in: Array(parameters.utf8)) else {
            self = .page
            return
        }
        func one(_ name: String) -> String? {
            read.repeated.contains(name) ? nil : read.form[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if read.form["user_code"] == nil, let client = one("client_id") {
            let isElsewhere = read.form["request_uri"] != nil || read.form["request"] != nil
            let request =
                read.repeated.isEmpty && !isElsewhere ? try? AuthorizationRequest(form: read.form) : nil
            self = .authorization(of: ClientID(client), request)
        } else if read.form["client_id"] == nil, let code = one("user_code"),
            let redirectURI = one("redirect_uri").flatMap({ try? RedirectURI($0) })
        {
            self = .activation(UserCodeText(code), returningTo: redirectURI)
        } else {
            self = .page
        }
    }
}

/// Prints as redacted: the address of a pushed request is a secret for its short life.
extension AuthorizationAddress: Redacted {}
