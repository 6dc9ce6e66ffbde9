/// Where a service says that tokens for it come from, as the value of a `WWW-Authenticate` header.
///
///     CPA version="1.0" name="Our AP" uri="https://login.example.org/ap" modes="client,user"
///
/// Standard: ETSI TS 103 407 Annex A.2.
public struct CrossPlatformChallenge: Sendable, Equatable {
    /// For whom a token can be.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// An app on a device, without a person.
        case client
        /// A person.
        case user
    }

    /// What people are shown as the authorization provider's name.
    public let name: String
    /// The provider's base address, to which `/register` and the others are appended.
    public let uri: String
    /// The tokens with which more can be had than now; at least one.
    public let modes: [Mode]

    public init(name: String, uri: String, modes: [Mode]) {
        self.name = name
        self.uri = uri
        self.modes = modes
    }

    /// The header's value: four parameters with single spaces between them, as the readers of such headers expect.
    ///
    /// A quote or backslash in the name is left out: hardly a reader knows how to take it.
    public var headerValue: String {
        let plain = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F && $0 != "\"" && $0 != "\\" }
        let words = modes.map(\.rawValue).joined(separator: ",")
        return
            "CPA version=\"1.0\" name=\"\(String(String.UnicodeScalarView(plain)))\" uri=\"\(uri)\" modes=\"\(words)\""
    }

    /// Finds the challenge among the values of all `WWW-Authenticate` headers; `nil` when there is none that can be used.
    ///
    /// Loosely: parameters in any order, with spaces or commas between them, beside challenges of other schemes.
    public init?(headerValues: [String]) {
        for value in headerValues {
            guard let parameters = Self.parameters(of: value), let uri = parameters["uri"], !uri.isEmpty else {
                continue
            }
            let words = (parameters["modes"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            let modes = words.compactMap { Mode(rawValue: String($0)) }
            guard !modes.isEmpty else { continue }
            self.init(name: parameters["name"] ?? "", uri: uri, modes: modes)
            return
        }
        return nil
    }

    /// The parameters after the scheme's word; `nil` when the word does not come.
    private static func parameters(of value: String) -> [String: String]? {
        var rest = value[...]
        while let word = rest.firstIndex(where: { $0.isLetter }) {
            rest = rest[word...]
            let token = rest.prefix { !$0.isWhitespace && $0 != "," && $0 != "=" }
            rest = rest.dropFirst(token.count)
            if token.lowercased() == "cpa", rest.first?.isWhitespace == true { return parameters(in: rest) }
            // Past a parameter of another scheme, of which a quoted one may hold anything.
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
