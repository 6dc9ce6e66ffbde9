internal import NIOCore

/// The value of a `Host` field.
///
/// Standard: RFC 9110 §7.2; RFC 3986 §3.2.2, §3.2.3.
enum HostField {
    /// Whether `text` is a host, with a port where it has one. A URL of a web server names a host, so an empty text is
    /// none.
    static func isWellFormed(_ text: String) -> Bool {
        let text = text.utf8[...]
        let host: Substring.UTF8View.SubSequence
        if text.first == UInt8(ascii: "[") {
            guard let bracket = text.firstIndex(of: UInt8(ascii: "]")), isIPv6(text[..<bracket].dropFirst()) else {
                return false
            }
            host = text[...bracket]
        } else {
            host = text.prefix { $0 != UInt8(ascii: ":") }
            guard !host.isEmpty, isName(host) else { return false }
        }
        let rest = text[host.endIndex...]
        return rest.isEmpty || isPort(rest.dropFirst()) && rest.first == UInt8(ascii: ":")
    }

    private static func isIPv6(_ text: Substring.UTF8View) -> Bool {
        guard case .v6? = try? SocketAddress(ipAddress: String(decoding: text, as: UTF8.self), port: 0) else {
            return false
        }
        // A zone is a matter of one machine alone.
        return !text.contains(UInt8(ascii: "%"))
    }

    /// Whether it is a registered name or an IPv4 address: the one includes the other.
    private static func isName(_ text: Substring.UTF8View) -> Bool {
        var digitsToCome = 0
        for byte in text {
            if digitsToCome > 0 {
                guard isHexDigit(byte) else { return false }
                digitsToCome -= 1
            } else if byte == UInt8(ascii: "%") {
                digitsToCome = 2
            } else {
                guard isNameByte(byte) else { return false }
            }
        }
        return digitsToCome == 0
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=".utf8.contains(byte)
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// The digits after the colon may be missing.
    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        text.count <= 5 && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && (text.isEmpty || UInt16(Substring(text)) != nil)
    }
}
