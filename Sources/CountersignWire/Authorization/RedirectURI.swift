internal import FoundationEssentialsCompat

/// An address where an app receives the answer to an authorization request, registered with the provider.
///
/// ```swift
/// let own = try RedirectURI("com.example.app:/signed-in")
/// let link = try RedirectURI("https://app.example.com/signed-in")
/// ```
///
/// Standard: RFC 6749 §3.1.2, RFC 8252 §7.
public struct RedirectURI: Sendable, Hashable, CustomStringConvertible {
    /// The reason that a text is not accepted.
    public enum ParsingError: String, Error, Sendable, Hashable, CaseIterable {
        /// It is no absolute URI in ASCII, has a fragment or a user name, or more than 2,048 bytes.
        case malformed
        /// It is plain http to another machine.
        case insecure
        /// Browsers handle its scheme specially, such as `javascript` or `file`.
        case schemeOfSystem
        /// It is neither https nor http, where such an address is needed.
        case noWebAddress
        /// It is https or http, but an app scheme is required.
        case webAddress
        /// Its own query has a parameter of the answer, such as `code`.
        case parameterOfAnswer
    }

    /// The kind of address.
    public enum Kind: Sendable, Hashable {
        /// A scheme of the app. Every app on the device can claim the same one. Standard: RFC 8252 §7.1.
        case privateUse
        /// An https address that the system hands to the app whose domain it is. Standard: RFC 8252 §7.2.
        case claimed
        /// A port of this machine. Standard: RFC 8252 §7.3.
        case loopback
    }

    /// The given address.
    public let text: String
    /// The kind of address.
    public let kind: Kind
    /// The part before its query, normalized for comparison.
    private let address: AddressWithoutQuery
    /// Its own query; `nil` for none.
    private let query: String?

    /// Reads an address.
    ///
    /// - Throws: ``ParsingError`` when it must not receive answers.
    public init(_ text: String) throws(ParsingError) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }),
            let (address, query) = AddressWithoutQuery.split(text)
        else { throw .malformed }
        switch address.scheme {
        case "https": kind = .claimed
        case "http":
            guard Issuer.isLoopback(address.host ?? "") else { throw .insecure }
            kind = .loopback
        case let scheme where Self.schemesOfSystems.contains(scheme): throw .schemeOfSystem
        default: kind = .privateUse
        }
        for pair in (query ?? "").split(separator: "&") {
            guard let name = try? Form(parsing: Array(pair.utf8)) else { throw .malformed }
            guard Self.parametersOfAnswer.allSatisfy({ name[$0] == nil }) else { throw .parameterOfAnswer }
        }
        self.text = text
        self.address = address
        self.query = query
    }

    /// The given address.
    public var description: String { text }

    /// Returns the unparsed parameters of an address that a browser or an app came back with; `nil` when it is another
    /// address than this one.
    ///
    /// A fragment is omitted. Scheme and host are compared without regard to case, all else letter by letter.
    package func parameters(of returned: String) -> String? {
        guard let (address, query) = AddressWithoutQuery.split(String(returned.prefix { $0 != "#" })),
            address == self.address
        else { return nil }
        guard let own = self.query else { return query ?? "" }
        guard let query, query.hasPrefix(own) else { return nil }
        let rest = query.dropFirst(own.count)
        return rest.isEmpty || rest.hasPrefix("&") ? String(rest.drop { $0 == "&" }) : nil
    }

    /// Schemes with content that browsers themselves show or run.
    private static let schemesOfSystems: Set<String> = [
        "about", "blob", "chrome", "data", "file", "ftp", "javascript", "mailto", "sms", "tel", "vbscript",
        "view-source",
        "ws", "wss",
    ]
    /// The parameters of an answer. Standard: RFC 6749 §4.1.2, RFC 9207 §2.
    private static let parametersOfAnswer = ["code", "error", "error_description", "error_uri", "state", "iss"]
}

extension RedirectURI: Codable {
    /// Reads the given address.
    ///
    /// - Throws: ``ParsingError`` when it must not receive answers.
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the given address.
    public func encode(to encoder: any Encoder) throws {
        var text = encoder.singleValueContainer()
        try text.encode(self.text)
    }
}

/// An address without its query, normalized for comparison.
private struct AddressWithoutQuery: Hashable, Sendable {
    let scheme: String
    let host: String?
    let port: Int?
    let path: String

    /// Reads an address without a fragment; `nil` for an invalid one. The query is not looked at.
    static func split(_ whole: String) -> (address: AddressWithoutQuery, query: String?)? {
        let text = String(whole.prefix { $0 != "?" })
        let query = text.utf8.count < whole.utf8.count ? String(whole.dropFirst(text.count + 1)) : nil
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            parts.user == nil, parts.password == nil
        else { return nil }
        let isWeb = scheme == "https" || scheme == "http"
        let host = parts.host.flatMap { $0.isEmpty ? nil : $0.lowercased() }
        guard host != nil || !isWeb, host != nil || !parts.percentEncodedPath.isEmpty || text.contains("://") else {
            return nil
        }
        let path = isWeb && parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let usual = scheme == "https" ? 443 : scheme == "http" ? 80 : nil
        let port = parts.port == usual ? nil : parts.port
        return (AddressWithoutQuery(scheme: scheme, host: host, port: port, path: path), query)
    }
}
