/// A kind of service, like `_http._tcp`, or a narrower kind within it.
///
/// Standard: RFC 6763 §4.1.2 and §7, RFC 6335 §5.1.
public struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The transport of the service.
    public enum Transport: String, Sendable {
        case tcp = "_tcp"
        case udp = "_udp"
    }

    /// The service's name with its underscore: `_http`.
    public let name: String
    /// The transport: `_tcp`, or `_udp` for all others.
    public let transport: Transport
    /// The subtype; `nil` for all instances of the type.
    public let subtype: String?

    /// `_name._tcp` or `_name._udp`; with a subtype, as other tools write it, `_subtype._sub._name._tcp`.
    ///
    /// A name has 1 to 15 letters, digits and hyphens after its underscore, with a letter among them, and no hyphen at
    /// an end or next to another. A closing `.local` and dot may follow.
    ///
    /// - Parameter text: The type in the form above.
    /// - Throws: ``DiscoveryError`` with code `notWellFormed`.
    public init(_ text: String) throws(DiscoveryError) { try self.init(text, naming: Self.isName) }

    /// A type as a network may have it: its name has 1 to 62 bytes after its underscore, whatever they are, as not
    /// every device keeps to the rules for names. `_services._dns-sd._udp` is ``serviceTypes``.
    ///
    /// For a search; a service is advertised by a type of ``init(_:)``.
    ///
    /// - Parameter text: The type, written as for ``init(_:)``.
    /// - Throws: ``DiscoveryError`` with code `notWellFormed`.
    public init(browsing text: String) throws(DiscoveryError) {
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        if name.hasSuffix(".local") { name.removeLast(6) }
        guard name != Self.serviceTypes.description else {
            self = .serviceTypes
            return
        }
        try self.init(text, naming: Self.isLabel)
    }

    /// The types of all services on a network, which a search finds as instances: `_http._tcp` is the name of one.
    ///
    /// Standard: RFC 6763 §9.
    public static let serviceTypes = ServiceType(name: "_services._dns-sd", transport: .udp)

    private init(_ text: String, naming isName: (String) -> Bool) throws(DiscoveryError) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.last == "" { parts.removeLast() }
        if parts.last?.lowercased() == "local" { parts.removeLast() }
        var subtype: String?
        if parts.count == 4, parts[1].lowercased() == "_sub" {
            subtype = parts[0]
            parts.removeFirst(2)
        }
        guard parts.count == 2, let transport = Transport(rawValue: parts[1].lowercased()), isName(parts[0]) else {
            throw DiscoveryError(.notWellFormed, "'\(text)' is no service type; one looks like '_http._tcp'.")
        }
        if let subtype, !Self.isSubtype(subtype) {
            throw DiscoveryError(.notWellFormed, "'\(subtype)' is no subtype: it has 1 to 63 bytes.")
        }
        self.init(name: parts[0], transport: transport, subtype: subtype)
    }

    /// A type whose parts are known to be well-formed.
    package init(name: String, transport: Transport, subtype: String? = nil) {
        self.name = name
        self.transport = transport
        self.subtype = subtype
    }

    /// The kind within this one that has the subtype `subtype`; `nil` when that is empty or has more than 63 bytes.
    ///
    /// - Parameter subtype: The label below `_sub`, its underscore included if it has one.
    public func narrowed(to subtype: String) -> ServiceType? {
        Self.isSubtype(subtype) ? ServiceType(name: name, transport: transport, subtype: subtype) : nil
    }

    /// The same type without its subtype.
    public var base: ServiceType { ServiceType(name: name, transport: transport, subtype: nil) }

    /// The type in the notation of DNS-SD: `_http._tcp`, or `printer._sub._http._tcp` with the subtype `printer`.
    public var description: String { (subtype.map { "\($0)._sub." } ?? "") + "\(name).\(transport.rawValue)" }

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

    /// Whether the text can be the label of a type: an underscore, and more; no control characters.
    private static func isLabel(_ text: String) -> Bool {
        text.hasPrefix("_") && (2...63).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }

    private static func isSubtype(_ text: String) -> Bool { (1...63).contains(text.utf8.count) }
}
