internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A kind of service, like `_countersign._tcp`, or a narrower kind within it.
///
/// Standard: RFC 6763 §4.1.2 and §7, RFC 6335 §5.1.
public struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// What carries the service.
    public enum Transport: String, Sendable {
        case tcp = "_tcp"
        case udp = "_udp"
    }

    /// The service's name with its underscore: `_countersign`.
    public let name: String
    public let transport: Transport
    /// The narrower kind that one looks for, or nil for all.
    public let subtype: String?

    /// `_name._tcp` or `_name._udp`; with a subtype, as other tools write it, `_subtype._sub._name._tcp`.
    ///
    /// A name has 1 to 15 letters, digits and hyphens after its underscore, with a letter among them, and no hyphen at
    /// an end or beside another. A closing `.local` and dot may follow.
    ///
    /// - Throws: ``DiscoveryError`` with code `notWellFormed`.
    public init(_ text: String) throws(DiscoveryError) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.last == "" { parts.removeLast() }
        if parts.last?.lowercased() == "local" { parts.removeLast() }
        var subtype: String?
        if parts.count == 4, parts[1].lowercased() == "_sub" {
            subtype = parts[0]
            parts.removeFirst(2)
        }
        guard parts.count == 2, let transport = Transport(rawValue: parts[1].lowercased()), Self.isName(parts[0]) else {
            throw DiscoveryError(.notWellFormed, "'\(text)' is no service type; one looks like '_http._tcp'.")
        }
        if let subtype, !Self.isSubtype(subtype) {
            throw DiscoveryError(.notWellFormed, "'\(subtype)' is no subtype: it has 1 to 63 bytes.")
        }
        self.init(name: parts[0], transport: transport, subtype: subtype)
    }

    private init(name: String, transport: Transport, subtype: String?) {
        self.name = name
        self.transport = transport
        self.subtype = subtype
    }

    /// The type of approvers: `_countersign._tcp`.
    public static let countersign = ServiceType(name: "_countersign", transport: .tcp, subtype: nil)

    /// The approvers of one app: the subtype is made of the app's id.
    ///
    /// It is `_` and the first 16 characters of the lower-case base32 of the id's SHA-256. It is a filter only: the
    /// handshake binds the id itself.
    public static func countersign(app: String) -> ServiceType {
        let subtype = "_" + Base32.lowercase(Array(SHA256.hash(data: Array(app.utf8))).prefix(10))
        return ServiceType(name: "_countersign", transport: .tcp, subtype: subtype)
    }

    /// The same type without its subtype.
    public var base: ServiceType {
        ServiceType(name: name, transport: transport, subtype: nil)
    }

    public var description: String {
        (subtype.map { "\($0)._sub." } ?? "") + "\(name).\(transport.rawValue)"
    }

    private static func isName(_ text: String) -> Bool {
        let name = Array(text.utf8)
        guard name.first == UInt8(ascii: "_"), (2...16).contains(name.count) else { return false }
        let rest = name.dropFirst()
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let hyphen = UInt8(ascii: "-")
        return rest.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen } && rest.contains(where: isLetter)
            && rest.first != hyphen && rest.last != hyphen
            && !zip(rest, rest.dropFirst()).contains { $0 == (hyphen, hyphen) }
    }

    private static func isSubtype(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
    }
}

/// RFC 4648's base32, as far as names here need it.
enum Base32 {
    /// The bytes in lower case, five bits a character, without padding.
    static func lowercase(_ bytes: some Sequence<UInt8>) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        var text = ""
        var (held, bits) = (0, 0)
        for byte in bytes {
            (held, bits) = (held << 8 | Int(byte), bits + 8)
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[held >> bits & 31])
            }
            held &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[held << (5 - bits) & 31]) }
        return text
    }
}
