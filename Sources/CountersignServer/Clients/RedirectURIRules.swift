internal import Foundation

/// Validates redirect URIs, and compares them with the registered ones.
///
/// Allowed are `https` to any host, `http` to loopback, and custom schemes with a domain name. The text has only the
/// characters of RFC 3986, no user name and no fragment.
/// Standard: RFC 8252 §7.1, §7.3; RFC 9700 §2.1.
package enum RedirectURIRules {
    /// The maximum length in bytes.
    package static let longest = 512

    /// The redirect URI of apps with a web view. It leads to no site, so it is valid for every domain.
    package static let insideApp = "cpacred://verification"

    /// The redirect URI of programs that listen on a free port of the person's machine, such as `countersign signin
    /// --open`. Its result is no secret and no proof, so it is valid for every domain.
    ///
    /// Standard: RFC 8252 §7.3.
    package static let onThisMachine = "http://127.0.0.1/verification"

    /// The objection to a redirect URI, in a sentence; `nil` for none.
    package static func objection(to text: String) -> String? { fault(of: text)?.description }

    /// The problem of a redirect URI; `nil` for none.
    ///
    /// - Parameters:
    ///   - text: The redirect URI.
    ///   - longest: The maximum length in bytes; by default ``longest``.
    static func fault(of text: String, upTo longest: Int = longest) -> RedirectURIFault? {
        guard (1...longest).contains(text.utf8.count) else { return .tooLong(longest) }
        guard isWellSpelled(text) else {
            return .badlySpelled
        }
        guard text != insideApp else { return nil }
        guard let colon = text.firstIndex(of: ":"), isScheme(text[..<colon]) else {
            return .noScheme
        }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        guard scheme == "https" || scheme == "http" else {
            // Without a dot it might be `javascript`, `data` or another scheme that browsers treat specially.
            guard scheme.contains("."), !rest.isEmpty else {
                return .badScheme
            }
            return nil
        }
        guard rest.hasPrefix("//") else { return .noHost(String(scheme)) }
        let authority = String(rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" })
        if scheme == "http", isIPv6Loopback(authority) { return nil }
        guard Domain(parsing: authority) != nil, !authority.hasPrefix("[") else {
            return .badHost
        }
        guard scheme == "https" || Issuer.isLoopback(String(authority.prefix { $0 != ":" })) else {
            return .plainHTTP
        }
        return nil
    }

    /// Whether `authority` is `[::1]`, with a port or without.
    private static func isIPv6Loopback(_ authority: String) -> Bool {
        guard authority.hasPrefix("[::1]") else { return false }
        let rest = authority.dropFirst(5)
        return rest.isEmpty || (rest.first == ":" && UInt16(rest.dropFirst()) != nil)
    }

    /// Whether a requested address equals the registered one byte by byte, except the port of a loopback address
    /// (127.0.0.1, ::1 or localhost) without a registered port.
    ///
    /// Standard: RFC 9700 §4.1.3; RFC 8252 §7.3, which demands it of the IP addresses. Programs use the name as well,
    /// which browsers resolve locally.
    static func matchesExactly(_ asked: String, _ registered: String) -> Bool {
        // Compared as bytes: `String` treats the Kelvin sign as equal to K.
        asked.utf8.elementsEqual(registered.utf8) || (isWellSpelled(asked) && matchesButForPort(asked, registered))
    }

    /// Whether an address is exclusive to its app: `https` outside the device. Any program on a device can claim a
    /// scheme or a port.
    ///
    /// Standard: RFC 8252 §7.2, §7.3, §8.6; RFC 6761 §6.3.
    static func isClaimed(_ text: String) -> Bool {
        guard text.hasPrefix("https://") else { return false }
        let authority = text.dropFirst(8).prefix { !"/?#".contains($0) }
        guard !authority.hasPrefix("["), let host = authority.split(separator: ":").first else { return false }
        let name = String(host.hasSuffix(".") ? host.dropLast() : host)
        // Some systems read 127.1 as 127.0.0.1.
        let isShortened = name.hasPrefix("127.") && name.allSatisfy { $0 == "." || $0.isNumber }
        return !Issuer.isLoopback(name) && !isShortened
    }

    /// Whether an address can be used and leads to the person's own machine, the only one that `http` may lead to.
    static func isLoopback(_ text: String) -> Bool { text.hasPrefix("http:") && fault(of: text) == nil }

    /// The `form-action` sources of a page whose form leads to an address.
    ///
    /// Browsers apply them to each redirect of the form. Further redirects by the client are allowed, too: over
    /// `https`, and between ports of the person's machine.
    ///
    /// Standard: Content Security Policy Level 3 §2.3.1, §6.4.1.
    static func formSources(of text: String) -> String {
        let scheme = text.prefix { $0 != ":" }
        return switch scheme {
        case "https": "https:"
        case "http": "http: https:"
        default: "\(scheme):"
        }
    }

    /// Whether a requested address equals the registered one byte by byte.
    ///
    /// There are two exceptions. A registered loopback address without a port allows any port. A registered address
    /// without a query allows a query for the state of the app, without a parameter `result`.
    ///
    /// Standard: RFC 9700 §4.1.3; RFC 8252 §7.3; ETSI TS 103 407 §8.3 for the query.
    static func matches(_ asked: String, _ registered: String) -> Bool {
        if matchesExactly(asked, registered) { return true }
        guard !registered.utf8.contains(UInt8(ascii: "?")), let mark = asked.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return false }
        let query = asked[asked.index(after: mark)...]
        guard !query.isEmpty, asked.utf8.count <= longest, isWellSpelled(asked), !namesResult(query) else {
            return false
        }
        return matchesExactly(String(asked[..<mark]), registered)
    }

    /// Whether a query has the parameter `result`.
    private static func namesResult(_ query: Substring) -> Bool {
        query.split(separator: "&").contains {
            $0.prefix { $0 != "=" }.lowercased().removingPercentEncoding == "result"
        }
    }

    private static func matchesButForPort(_ asked: String, _ registered: String) -> Bool {
        let machines = ["http://127.0.0.1", "http://[::1]", "http://localhost"]
        guard let machine = machines.first(where: registered.hasPrefix), asked.hasPrefix(machine + ":") else {
            return false
        }
        let port = asked.utf8.dropFirst(machine.utf8.count + 1).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
        guard (1...5).contains(port.count), port.first != UInt8(ascii: "0"), UInt16(Substring(port)) != nil else {
            return false
        }
        let path = registered.utf8.dropFirst(machine.utf8.count)
        return path.first != UInt8(ascii: ":")
            && asked.utf8.dropFirst(machine.utf8.count + 1 + port.count).elementsEqual(path)
    }

    /// Standard: RFC 3986 §2, §3.1.
    private static func isWellSpelled(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "%"):
                index + 2 < bytes.count && isHexDigit(bytes[index + 1]) && isHexDigit(bytes[index + 2])
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case let byte:
                "-._~:/?[]@!$&'()*+,;=".utf8.contains(byte)
            }
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

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}
