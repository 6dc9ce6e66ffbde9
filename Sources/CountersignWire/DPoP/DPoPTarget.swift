public import HTTPTypes

/// The request that a proof is made for: its method and its URL without query and fragment.
///
/// The URL is normalised, so that two spellings of one address are equal.
///
/// ```swift
/// let target = DPoPTarget(.post, "HTTPS://Id.example.com:443/a/../token?x=1")
/// let uri = target?.uri  // https://id.example.com/token
/// ```
///
/// Standard: RFC 9449 §4.2, §4.3; RFC 3986 §6.2.2, §6.2.3.
public struct DPoPTarget: Sendable, Hashable {
    /// The longest URL that is read, in bytes.
    static let longest = 2048

    /// The method (`htm`).
    public let method: HTTPRequest.Method
    /// The normalised URL (`htu`).
    public let uri: String

    /// Creates a target.
    public init?(_ method: HTTPRequest.Method, _ uri: String) {
        guard let uri = Self.normalized(uri) else { return nil }
        self.method = method
        self.uri = uri
    }

    /// The normal form of a URL, without query and fragment.
    static func normalized(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count <= longest, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let whole = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let colon = whole.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(decoding: whole[..<colon], as: UTF8.self).lowercased()
        let rest = whole[(colon + 1)...]
        guard scheme == "https" || scheme == "http", rest.starts(with: "//".utf8) else { return nil }
        let named = rest.dropFirst(2)
        let slash = named.firstIndex(of: UInt8(ascii: "/")) ?? named.endIndex
        guard let authority = authority(named[..<slash], usualPort: scheme == "https" ? 443 : 80),
            let path = decodedUnreserved(named[slash...])
        else { return nil }
        return "\(scheme)://\(authority)\(withoutDotSegments(path))"
    }

    /// Host in lower case, and port unless it is the usual one.
    static func authority(_ bytes: ArraySlice<UInt8>, usualPort: UInt16) -> String? {
        guard !bytes.contains(UInt8(ascii: "@")) else { return nil }
        var host = bytes
        var port: UInt16?
        let lastColon = bytes.lastIndex(of: UInt8(ascii: ":"))
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]"))
        if let lastColon, bracket.map({ $0 < lastColon }) ?? true {
            host = bytes[..<lastColon]
            let digits = bytes[(lastColon + 1)...]
            if !digits.isEmpty {
                guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
                    let number = UInt16(String(decoding: digits, as: UTF8.self))
                else { return nil }
                port = number
            }
        }
        guard isHost(host), let decoded = decodedUnreserved(host) else { return nil }
        // An escape stays in upper case; hosts are ASCII otherwise.
        var name: [UInt8] = []
        var escaped = 0
        for byte in decoded {
            if byte == UInt8(ascii: "%") { escaped = 3 }
            name.append(escaped == 0 && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            escaped = max(0, escaped - 1)
        }
        let text = String(decoding: name, as: UTF8.self)
        guard let port, port != usualPort else { return text }
        return "\(text):\(port)"
    }

    /// Whether it is an IPv6 address in brackets, or a name without characters that separate parts of a URL.
    ///
    /// Standard: RFC 3986 §3.2.2.
    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "[") else {
            return !bytes.isEmpty
                && bytes.allSatisfy { URLSafeText.isUnreserved($0) || "%!$&'()*+,;=".utf8.contains($0) }
        }
        return bytes.count > 2 && bytes.last == UInt8(ascii: "]")
            && bytes.dropFirst().dropLast().allSatisfy { Form.hexDigit($0) != nil || ":.".utf8.contains($0) }
    }

    /// Decodes escapes of characters that need none, and writes the others in upper case; `nil` for a broken escape.
    private static func decodedUnreserved(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            place += 1
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard bytes.endIndex - place >= 2, let high = Form.hexDigit(bytes[place]),
                let low = Form.hexDigit(bytes[place + 1])
            else { return nil }
            place += 2
            let value = high << 4 | low
            if URLSafeText.isUnreserved(value) {
                decoded.append(value)
            } else {
                decoded += Form.escape(value)
            }
        }
        return decoded
    }

    /// Standard: RFC 3986 §5.2.4; an empty path is `/` (§6.2.3).
    private static func withoutDotSegments(_ path: [UInt8]) -> String {
        var kept: [ArraySlice<UInt8>] = []
        var endsInSlash = false
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            endsInSlash = false
            switch segment.count {
            case 1 where segment.first == UInt8(ascii: "."): endsInSlash = true
            case 2 where segment.allSatisfy({ $0 == UInt8(ascii: ".") }):
                _ = kept.popLast()
                endsInSlash = true
            default: kept.append(segment)
            }
        }
        let joined = kept.map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
        return endsInSlash || joined.isEmpty ? joined + "/" : joined
    }
}
