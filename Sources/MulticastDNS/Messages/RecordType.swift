package struct RecordType: RawRepresentable, Hashable, Sendable, Comparable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An IPv4 address.
    package static let a = RecordType(rawValue: 1)
    /// A pointer to another name: to an instance, or to a type.
    package static let ptr = RecordType(rawValue: 12)
    /// Keys and values that describe a service.
    package static let txt = RecordType(rawValue: 16)
    /// An IPv6 address.
    package static let aaaa = RecordType(rawValue: 28)
    /// The host and the port of a service.
    package static let srv = RecordType(rawValue: 33)
    /// The types that a name has; it has no others.
    package static let nsec = RecordType(rawValue: 47)
    /// In questions: all of them.
    package static let any = RecordType(rawValue: 255)

    /// Orders types by their numbers.
    package static func < (left: RecordType, right: RecordType) -> Bool { left.rawValue < right.rawValue }
}

/// The class of a record or question, without the bit that multicast DNS adds to the field.
package struct RecordClass: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue & 0x7FFF }

    /// IN, the only supported class.
    package static let internet = RecordClass(rawValue: 1)
    /// In questions: all of them.
    package static let any = RecordClass(rawValue: 255)
}
