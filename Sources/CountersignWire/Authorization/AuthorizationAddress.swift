/// The address of an authorization request, as the system hands it to the provider's own app.
///
/// ```swift
/// let address = AuthorizationAddress(parsing: "https://id.example.com/authorize?client_id=app&request_uri=urn:x")
/// let isOurs = address?.isAt("https://id.example.com/authorize") ?? false
/// ```
///
/// Reading is total. It only identifies the request in the address: only the server, which knows the clients, judges
/// it. A request whose parameters are elsewhere (RFC 9126, RFC 9101) is read too.
///
/// Standard: RFC 6749 §3.1, §4.1.1.
public struct AuthorizationAddress: Sendable, Equatable {
    /// The longest address that is read, in bytes.
    public static let longest = 16_384

    /// The unparsed parameters of the address, without the question mark.
    public let parameters: String
    /// The requesting app, according to the address.
    public let client: ClientID
    /// The request; `nil` when it is stored at the server or signed, or is no good one.
    public let request: AuthorizationRequest?
    /// The part before the parameters, normalized for comparison.
    private let place: String

    /// Reads an address.
    ///
    /// - Parameter text: The whole address. `nil` is returned unless it is an absolute URI in ASCII of at most
    ///   ``longest`` bytes whose query names one client.
    public init?(parsing text: String) {
        let text = text.prefix { $0 != "#" }
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")), let place = Self.place(text[..<mark])
        else { return nil }
        let query = String(text[text.utf8.index(after: mark)...])
        guard let read = try? Form.toleratingRepeats(in: Array(query.utf8)), !read.repeated.contains("client_id"),
            let client = read.form["client_id"], !client.isEmpty
        else { return nil }
        self.place = place
        self.client = ClientID(client)
        parameters = query
        let isElsewhere = read.form["request_uri"] != nil || read.form["request"] != nil
        request = read.repeated.isEmpty && !isElsewhere ? try? AuthorizationRequest(form: read.form) : nil
    }

    /// Whether this is an address of a page of the provider, or of its app.
    ///
    /// - Parameter page: That address, without a query. Scheme and host are compared without regard to case, all else
    ///   letter by letter.
    public func isAt(_ page: String) -> Bool { Self.place(page[...]) == place }

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

/// Prints as redacted: the address of a pushed request is a secret for its short life.
extension AuthorizationAddress: Redacted {}
