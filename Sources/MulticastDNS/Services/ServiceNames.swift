/// The DNS names of services.
extension DomainName {
    /// The name of this label below `local`; `nil` when it is empty or too long.
    static func local(_ label: String) -> DomainName? { try? DomainName(label, "local") }

    /// The name whose PTR records list the types on a network (RFC 6763 §9).
    package static let serviceTypes = DomainName(
        wire: ["_services", "_dns-sd", "_udp", "local"].flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0])
}

extension ServiceType {
    /// The name whose PTR records list the instances of the type: `_http._tcp.local`, or that of its subtype.
    package var domain: DomainName {
        guard self != .serviceTypes else { return .serviceTypes }
        let labels = (subtype.map { [$0, "_sub"] } ?? []) + [name, transport.rawValue, "local"]
        // The initializer has checked the length of each label, and five labels always fit.
        return DomainName(wire: labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0])
    }

    /// The instance with the name `domain`; `nil` if that is not an instance of this type.
    ///
    /// A name that is not UTF-8, or has control characters, is refused: the standard forbids them, and they are unsafe
    /// to show.
    func instance(at domain: DomainName) -> ServiceInstance? {
        if self == .serviceTypes {
            guard let type = ServiceType(at: domain) else { return nil }
            return ServiceInstance(name: type.description, type: self)
        }
        guard domain.parent == base.domain, let label = domain.labels.first,
            let name = String(validating: label, as: UTF8.self),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
        return ServiceInstance(name: name, type: self)
    }
}

extension ServiceType {
    /// The type whose instances `domain` lists; `nil` if that is the name of something else.
    fileprivate init?(at domain: DomainName) {
        let labels = domain.labels.compactMap { String(validating: $0, as: UTF8.self) }
        guard labels.count == 3, domain.labels.count == 3, labels[2].lowercased() == "local",
            !labels[0].contains("."), let type = try? ServiceType(browsing: "\(labels[0]).\(labels[1])")
        else { return nil }
        self = type
    }
}

extension ServiceInstance {
    /// The DNS name of the instance.
    ///
    /// - Throws: ``DiscoveryError`` when the name is empty, longer than 63 bytes, or has control characters.
    func domain() throws(DiscoveryError) -> DomainName {
        guard type != .serviceTypes else {
            throw DiscoveryError(.notWellFormed, "'\(type)' lists types; no service has it.")
        }
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
            let label = try? DomainName(labels: [Array(name.utf8)]), let domain = try? label.below(type.domain)
        else { throw DiscoveryError(.notWellFormed, "A name has 1 to 63 bytes of UTF-8, and no control characters.") }
        return domain
    }
}

/// Alternatives to names that are taken.
enum AlternativeName {
    /// `Kitchen` becomes `Kitchen (2)`, which becomes `Kitchen (3)`; the name is cut if it exceeds 63 bytes.
    static func service(after name: String) -> String {
        let (stem, number) = split(name, opening: " (", closing: ")")
        return fitting(stem, " (\(number + 1))")
    }

    /// `Kitchen` and `Kitchen (3)` become `Kitchen (k3xq7abc)` with that mark, which cannot be predicted.
    static func service(after name: String, marked mark: String) -> String {
        fitting(split(name, opening: " (", closing: ")").stem, " (\(mark))")
    }

    /// `host` becomes `host-2`, which becomes `host-3`.
    static func host(after name: String) -> String {
        let (stem, number) = split(name, opening: "-", closing: "")
        return fitting(stem, "-\(number + 1)")
    }

    private static func split(_ name: String, opening: String, closing: String) -> (stem: String, number: Int) {
        guard name.hasSuffix(closing) else { return (name, 1) }
        let open = name.dropLast(closing.count)
        let digits = open.reversed().prefix { $0.isASCII && $0.isNumber }
        let stem = open.dropLast(digits.count)
        guard (1...6).contains(digits.count), stem.hasSuffix(opening), stem.count > opening.count,
            let number = Int(String(digits.reversed())), number >= 2
        else { return (name, 1) }
        return (String(stem.dropLast(opening.count)), number)
    }

    private static func fitting(_ stem: String, _ suffix: String) -> String {
        var stem = stem
        while stem.utf8.count + suffix.utf8.count > 63 { stem.removeLast() }
        return stem + suffix
    }
}
