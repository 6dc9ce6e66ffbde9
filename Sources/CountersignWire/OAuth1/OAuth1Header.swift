/// The `Authorization` header of a request that is signed by OAuth 1.
///
/// ```swift
/// let header = try OAuth1Header(parsing: #"OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03""#)
/// ```
///
/// It is read strictly: each parameter is `name="value"` with names and values encoded, no name is repeated, and nothing
/// else stands between them but commas and white space.
///
/// Standard: RFC 5849 §3.5.1; RFC 2617 §1.2.
public struct OAuth1Header: Sendable, Equatable {
    /// The longest header that is read, in bytes.
    static let longest = 8192
    /// The largest number of parameters that is read.
    static let most = 64

    /// Where the request is to be authorized, as the server named it; it is not signed. `nil` when it is left out.
    public let realm: String?
    /// All other parameters, decoded, in their order.
    public let parameters: [OAuth1Parameter]

    /// A header with these parameters.
    ///
    /// - Parameters:
    ///   - realm: Where the request is to be authorized: printable ASCII, other characters are left out; `nil` for none.
    ///   - parameters: The other parameters, decoded.
    public init(realm: String? = nil, _ parameters: [OAuth1Parameter]) {
        self.realm = realm.map { realm in
            String(decoding: realm.utf8.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
        }
        self.parameters = parameters
    }

    /// Whether the value of an `Authorization` header is of this scheme, whatever follows.
    ///
    /// - Parameter value: The value of the header.
    public static func isScheme(of value: String) -> Bool {
        let scheme = value.utf8.prefix(5)
        return scheme.count == 5 && zip(scheme, "oauth".utf8).allSatisfy { $0 | 0x20 == $1 }
            && (value.utf8.dropFirst(5).first.map(isSpace) ?? true)
    }

    /// Reads the value of an `Authorization` header.
    ///
    /// - Parameter value: The whole value, with the scheme in any case.
    /// - Throws: ``OAuth1Refusal`` `malformed` for anything that does not follow the standard, a repeated name, more than
    ///   64 parameters, or more than 8,192 bytes.
    public init(parsing value: String) throws(OAuth1Refusal) {
        guard value.utf8.count <= Self.longest, Self.isScheme(of: value) else {
            throw OAuth1Refusal(.malformed, because: "the header is of another scheme, or too long")
        }
        var realm: String?
        var parameters: [OAuth1Parameter] = []
        var rest = Array(value.utf8)[5...].drop(while: Self.isSpace)
        while true {
            let parameter = try Self.next(in: &rest)
            let isRepeated =
                parameter.name == "realm" ? realm != nil : parameters.contains { $0.name == parameter.name }
            guard !isRepeated, parameters.count < Self.most else {
                throw OAuth1Refusal(.malformed, because: "a parameter of the header is repeated, or there are too many")
            }
            if parameter.name == "realm" { realm = parameter.value } else { parameters.append(parameter) }
            rest = rest.drop(while: Self.isSpace)
            guard let separator = rest.popFirst() else { break }
            guard separator == UInt8(ascii: ",") else {
                throw OAuth1Refusal(.malformed, because: "there is no comma between two parameters of the header")
            }
            rest = rest.drop(while: Self.isSpace)
        }
        self.realm = realm
        self.parameters = parameters
    }

    /// The value of the header.
    public var text: String {
        let realm = realm.map { text in
            #"realm=""# + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        let others = parameters.map { "\(OAuth1Encoding.encode($0.name))=\"\(OAuth1Encoding.encode($0.value))\"" }
        return "OAuth " + ((realm.map { [$0] } ?? []) + others).joined(separator: ", ")
    }

    /// Takes one parameter from the front.
    private static func next(in rest: inout ArraySlice<UInt8>) throws(OAuth1Refusal) -> OAuth1Parameter {
        let name = rest.prefix { $0 != UInt8(ascii: "=") }
        rest = rest[name.endIndex...]
        guard !name.isEmpty, let decoded = OAuth1Encoding.decode(name), rest.popFirst() == UInt8(ascii: "="),
            rest.popFirst() == UInt8(ascii: "\"")
        else { throw OAuth1Refusal(.malformed, because: "a parameter of the header has no name or no quoted value") }
        let value = decoded == "realm" ? quoted(in: &rest) : encoded(in: &rest)
        guard let value else {
            throw OAuth1Refusal(.malformed, because: "a value in the header is not encoded, or does not end")
        }
        return OAuth1Parameter(decoded, value)
    }

    /// Takes a percent-encoded value and the quote behind it.
    private static func encoded(in rest: inout ArraySlice<UInt8>) -> String? {
        let value = rest.prefix { $0 != UInt8(ascii: "\"") }
        rest = rest[value.endIndex...]
        guard rest.popFirst() != nil else { return nil }
        return OAuth1Encoding.decode(value)
    }

    /// Takes a quoted string of HTTP and the quote behind it. Standard: RFC 9110 §5.6.4.
    private static func quoted(in rest: inout ArraySlice<UInt8>) -> String? {
        var value: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            guard (0x20...0x7E).contains(byte) else { return nil }
            value.append(byte)
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
