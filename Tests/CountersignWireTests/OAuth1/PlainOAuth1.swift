@testable import CountersignWire

/// The rules of OAuth 1 for parameters and base strings, written down plainly and slowly from the standard, as a
/// reference for what verifies requests.
///
/// Standard: RFC 5849 §3.4.1, §3.5.1, §3.6.
enum PlainOAuth1 {
    /// The parameters of a header but `realm`; `nil` when it is refused.
    static func header(_ text: String) -> [OAuth1Parameter]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= 8192, String(decoding: bytes.prefix(5), as: UTF8.self).lowercased() == "oauth",
            bytes.count > 5, bytes[5] == 0x20 || bytes[5] == 0x09
        else { return nil }
        var realms = 0
        var parameters: [OAuth1Parameter] = []
        var rest = bytes[6...].drop { $0 == 0x20 || $0 == 0x09 }
        while true {
            let name = rest.prefix { $0 != UInt8(ascii: "=") }
            rest = rest[name.endIndex...]
            guard !name.isEmpty, rest.starts(with: Array("=\"".utf8)), let decoded = decode(name, isForm: false)
            else { return nil }
            rest = rest.dropFirst(2)
            if decoded == "realm" {
                realms += 1
                guard realms == 1, parameters.count < 64, skipQuoted(&rest) else { return nil }
            } else {
                let value = rest.prefix { $0 != UInt8(ascii: "\"") }
                rest = rest[value.endIndex...]
                guard rest.popFirst() != nil, let value = decode(value, isForm: false), parameters.count < 64,
                    !parameters.contains(where: { Array($0.name.utf8) == Array(decoded.utf8) })
                else { return nil }
                parameters.append(OAuth1Parameter(decoded, value))
            }
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            guard let comma = rest.popFirst() else { return parameters }
            guard comma == UInt8(ascii: ",") else { return nil }
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        }
    }

    private static func skipQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return false }
                byte = escaped
            }
            guard (0x20...0x7E).contains(byte) else { return false }
        }
        return false
    }

    /// The parameters of a query or form; `nil` when it is refused.
    static func form(_ text: String) -> [OAuth1Parameter]? {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        var parameters: [OAuth1Parameter] = []
        for pair in Array(text.utf8).split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            guard parameters.count < 512, let decoded = decode(name, isForm: true),
                let value = decode(pair[name.endIndex...].dropFirst(), isForm: true)
            else { return nil }
            parameters.append(OAuth1Parameter(decoded, value))
        }
        return parameters
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, isForm: Bool) -> String? {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16),
                    value != 0
                else { return nil }
                rest = rest.dropFirst(2)
                decoded.append(value)
            } else if isForm {
                decoded.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            } else {
                guard plain.contains(byte) else { return nil }
                decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// The base string.
    static func baseString(_ method: String, _ baseURI: String, _ parameters: [OAuth1Parameter]) -> String {
        let pairs = parameters.filter { $0.name != "oauth_signature" }
            .map { (Array(encode($0.name).utf8), Array(encode($0.value).utf8)) }
            .sorted { left, right in
                left.0 == right.0
                    ? left.1.lexicographicallyPrecedes(right.1) : left.0.lexicographicallyPrecedes(right.0)
            }
        let normalized = pairs.map { "\(String(decoding: $0, as: UTF8.self))=\(String(decoding: $1, as: UTF8.self))" }
            .joined(separator: "&")
        return [method, baseURI, normalized].map(encode).joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
