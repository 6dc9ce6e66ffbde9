/// The parameters of a request or a query, as `application/x-www-form-urlencoded`.
///
/// Parameters keep their order. A parameter with an empty value counts as left out, and a repeated parameter makes the
/// form invalid, as OAuth demands; only `resource` and `audience` may be repeated.
///
/// ```swift
/// var form = Form()
/// form["grant_type"] = "client_credentials"
/// form["scope"] = "reports read"
/// let body = form.encoded         // grant_type=client_credentials&scope=reports+read
/// ```
///
/// Standard: RFC 6749 §3.1, §3.2, Appendix B; RFC 8693 §2.1; RFC 8707 §2; WHATWG URL §5.
public struct Form: Sendable, Equatable {
    /// The media type of a form.
    package static let mediaType = "application/x-www-form-urlencoded"

    /// The maximum number of parameters; no supported request needs more.
    static let limit = 64
    /// The parameters that may be repeated.
    private static let repeatable = ["resource", "audience"]

    private var fields: [(name: String, value: String)] = []

    /// Creates a form without parameters.
    public init() {}

    /// Reads a wire form that may repeat parameters; the first value of each counts.
    ///
    /// For requests whose refusal must be sent to an address that is itself a parameter.
    ///
    /// - Returns: The form, and the names that are repeated.
    /// - Throws: ``OAuthError`` `invalid_request` for a broken percent escape, text that is not UTF-8, or more than 64
    ///   parameters.
    package static func toleratingRepeats(
        in bytes: some Collection<UInt8>
    ) throws(OAuthError) -> (form: Form, repeated: Set<String>) {
        var repeated: Set<String> = []
        let form = try Form(Array(bytes)) { repeated.insert($0) }
        return (form, repeated)
    }

    /// Reads the wire form.
    ///
    /// - Parameter bytes: The body of a request, or a query without its question mark.
    /// - Throws: ``OAuthError`` `invalid_request` for a repeated parameter, a broken percent escape, text that is not
    ///   UTF-8, or more than 64 parameters.
    public init(parsing bytes: some Collection<UInt8>) throws(OAuthError) {
        try self.init(Array(bytes)) { _ throws(OAuthError) in
            throw OAuthError(.invalidRequest, "a parameter is repeated", because: "repeated parameter")
        }
    }

    // Generic code of another module is not specialised: this is met by every request.
    private init(_ bytes: [UInt8], repeating: (String) throws(OAuthError) -> Void) throws(OAuthError) {
        var names: [String] = []
        for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let name = try Self.decode(pair[..<(equals ?? pair.endIndex)])
            let value = try equals.map { index throws(OAuthError) in
                try Self.decode(pair[pair.index(after: index)...])
            }
            // They are few, so that a set would only cost.
            guard !names.contains(name) || Self.repeatable.contains(name) else {
                try repeating(name)
                continue
            }
            names.append(name)
            guard names.count <= Self.limit else {
                throw OAuthError(.invalidRequest, "too many parameters", because: "over \(Self.limit) parameters")
            }
            if let value, !value.isEmpty { fields.append((name, value)) }
        }
    }

    /// The value of a parameter; `nil` when it was omitted or is empty. Setting `nil` or empty text removes it.
    ///
    /// - Parameter name: The name of the parameter; case counts.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue, !newValue.isEmpty { fields.append((name, newValue)) }
        }
    }

    /// The values of a parameter that may be repeated, in their order.
    package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Returns the value of a required parameter.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Throws: ``OAuthError`` `invalid_request` when it is missing or empty.
    public func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name] else {
            throw OAuthError(.invalidRequest, "\(name) is missing", because: "\(name) is missing")
        }
        return value
    }

    /// Returns the scope of a request; empty when none is asked for.
    ///
    /// - Parameter name: The name of the parameter; `scope` by default.
    /// - Throws: ``OAuthError`` `invalid_scope` when the text is no scope.
    public func scope(_ name: String = "scope") throws(OAuthError) -> Scope {
        guard let scope = Scope(parsing: self[name] ?? "") else {
            throw OAuthError(.invalidScope, "the scope is malformed", because: "malformed scope")
        }
        return scope
    }

    /// Returns the value of a parameter with a special form; `nil` when it was omitted or is empty.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when `parse` returns `nil`.
    package func parsed<Value>(_ name: String, by parse: (String) -> Value?) throws(OAuthError) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = parse(text) else {
            throw OAuthError(.invalidRequest, "\(name) is malformed or unknown", because: "unreadable \(name)")
        }
        return value
    }

    /// The parameters that have a value, in their order.
    package var parameters: [(name: String, value: String)] { fields }

    /// Returns an address with the parameters added to its query, such as that of a redirect.
    ///
    /// - Parameter address: The address, without a fragment.
    public func location(at address: String) -> String { "\(address)\(Self.separator(after: address))\(encoded)" }

    /// Returns the separator between an address and parameters that are added to its query.
    package static func separator(after address: String) -> String {
        guard address.contains("?") else { return "?" }
        return address.hasSuffix("?") || address.hasSuffix("&") ? "" : "&"
    }

    /// The wire form.
    public var encoded: String {
        fields.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
    }

    /// Whether both have the same parameters in the same order.
    public static func == (left: Form, right: Form) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// Prints how many parameters there are and none of them: many a value is a secret.
extension Form: Redacted {
    /// The count of parameters; names and values are never printed.
    public var description: String { "Form(parameters: \(fields.count))" }
}

/// Parameters in order, without `nil` and empty ones.
extension Form: ExpressibleByDictionaryLiteral {
    /// Creates a form from its parameters.
    ///
    /// - Parameter elements: Names and values; of several values of one name, the last one counts.
    public init(dictionaryLiteral elements: (String, String?)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension Form {
    /// One name or value in the wire form: letters, digits and `*-._` as they are, a space as `+`.
    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                encoded.append(byte)
            case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
            default: encoded += escape(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The percent escape of a byte, in upper case.
    ///
    /// Standard: RFC 3986 §2.1.
    package static func escape(_ byte: UInt8) -> [UInt8] {
        let digit = { (value: UInt8) in value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10 }
        return [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0x0F)]
    }

    /// One name or value out of the wire form.
    static func decode(_ bytes: ArraySlice<UInt8>) throws(OAuthError) -> String {
        guard let decoded = unescaped(bytes, readingPlusAs: UInt8(ascii: " ")) else {
            throw OAuthError(.invalidRequest, "a percent escape is broken", because: "broken escape")
        }
        // Bytes that are no UTF-8 come out as other ones. (The initialiser that validates needs newer systems.)
        let text = String(decoding: decoded, as: UTF8.self)
        guard text.utf8.elementsEqual(decoded), !text.utf8.contains(0) else {
            throw OAuthError(.invalidRequest, "a parameter is not UTF-8 text", because: "not UTF-8")
        }
        return text
    }

    /// The bytes with percent escapes decoded; `nil` for a broken escape.
    static func unescaped(_ bytes: some Sequence<UInt8>, readingPlusAs plus: UInt8 = UInt8(ascii: "+")) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.underestimatedCount)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte == UInt8(ascii: "+") ? plus : byte)
                continue
            }
            guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit) else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// The value of a hexadecimal digit, in upper or lower case.
    package static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
