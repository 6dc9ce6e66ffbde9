/// Reads and writes the value of a `WWW-Authenticate` header.
///
/// Parameters may be separated by spaces or commas, as servers write them.
/// Standard: RFC 9110 §11.6.1.
package enum AuthenticationChallenge {
    /// A text without what few clients can read in a quoted parameter: quotes, backslashes, and all but printable
    /// ASCII.
    package static func quotable(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F && $0 != "\"" && $0 != "\\" }
        return String(String.UnicodeScalarView(plain))
    }

    /// The challenge for a bearer token.
    ///
    /// - Parameter others: Further parameters, with their values.
    ///
    /// Standard: RFC 6750 §3: without a token no error is named.
    package static func bearer(
        realm: String,
        error: OAuthError.Code? = nil,
        description: String? = nil,
        _ others: [String] = []
    ) -> String {
        let named = [
            "realm=\"\(quotable(realm))\"", error.map { "error=\"\($0)\"" },
            description.map { "error_description=\"\($0)\"" },
        ]
        return "Bearer \((named.compactMap(\.self) + others).joined(separator: ", "))"
    }

    /// The parameters of a scheme's challenge, by their names in lower case; of several with one name the first.
    ///
    /// - Parameter value: The value of the header; it may contain challenges of other schemes.
    /// - Returns: The parameters; `nil` when the scheme does not occur.
    package static func parameters(of scheme: String, in value: String) -> [String: String]? {
        var rest = value[...]
        while let word = rest.firstIndex(where: { $0.isLetter }) {
            rest = rest[word...]
            let token = rest.prefix { !$0.isWhitespace && $0 != "," && $0 != "=" }
            rest = rest.dropFirst(token.count)
            if token.lowercased() == scheme, rest.first?.isWhitespace == true { return parameters(in: rest) }
            // Skips a parameter of another scheme: a quoted value may hold anything.
            if rest.first == "=" { rest = Self.value(after: rest.dropFirst()).rest }
        }
        return nil
    }

    private static func parameters(in text: Substring) -> [String: String] {
        var parameters: [String: String] = [:]
        var rest = text
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            let name = rest.prefix { $0 != "=" && !$0.isWhitespace && $0 != "," && $0 != "\"" }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.first == "=" else { return parameters }
            let value = value(after: rest.dropFirst())
            rest = value.rest
            parameters[name.lowercased()] = parameters[name.lowercased()] ?? value.text
        }
    }

    /// A value, quoted or not, and what follows it.
    private static func value(after text: Substring) -> (text: String, rest: Substring) {
        guard text.first == "\"" else {
            let plain = text.prefix { !$0.isWhitespace && $0 != "," }
            return (String(plain), text.dropFirst(plain.count))
        }
        var read = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == "\"" { return (read, rest) }
            if character == "\\", let escaped = rest.popFirst() { read.append(escaped) } else { read.append(character) }
        }
        return (read, rest)
    }
}
