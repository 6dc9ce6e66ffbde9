package import HTTPTypes
package import Hummingbird
internal import NIOCore

/// The value of a `Host` field.
///
/// Standard: RFC 9110 §7.2; RFC 3986 §3.2.2, §3.2.3.
enum HostField {
    /// Whether `text` is a host, with or without a port. An empty text is refused, since a URL of a web server has a
    /// host.
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
        // A zone identifier is meaningful on one machine only.
        return !text.contains(UInt8(ascii: "%"))
    }

    /// Whether it is a registered name or an IPv4 address; the syntax of names includes that of addresses.
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

extension Request {
    /// Whether the request has exactly one `Host`, and a well-formed one.
    ///
    /// Standard: RFC 9112 §3.2.
    package var namesOneHost: Bool {
        // The first `Host` became the authority; further ones stay among the headers.
        guard let authority = head.authority else { return false }
        return HostField.isWellFormed(authority) && headers[.host] == nil
    }
}

extension HTTPField.Name {
    package static let host = HTTPField.Name("Host")!
}

/// Answers 400 to a request without exactly one well-formed `Host`.
///
/// Standard: RFC 9112 §3.2.
package struct HostMiddleware: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.namesOneHost else { return Response(status: .badRequest) }
        return try await next(request, context)
    }
}
