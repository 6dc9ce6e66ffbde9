/// What kind a record is of.
package struct RecordType: RawRepresentable, Hashable, Sendable, Comparable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// An address of version 4.
    package static let a = RecordType(rawValue: 1)
    /// A name that leads to another: to an instance, to a type.
    package static let ptr = RecordType(rawValue: 12)
    /// Strings that a service says about itself.
    package static let txt = RecordType(rawValue: 16)
    /// An address of version 6.
    package static let aaaa = RecordType(rawValue: 28)
    /// The host and the port of a service.
    package static let srv = RecordType(rawValue: 33)
    /// Which types a name has, and so which it has not.
    package static let nsec = RecordType(rawValue: 47)
    /// In questions: whatever there is.
    package static let any = RecordType(rawValue: 255)

    /// Orders types by their numbers.
    ///
    /// - Parameters:
    ///   - left: The one.
    ///   - right: The other.
    package static func < (left: RecordType, right: RecordType) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The class of a record or question, without the bit that multicast DNS keeps in the same field.
package struct RecordClass: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue & 0x7FFF
    }

    /// The class of the internet, the only one in use here.
    package static let internet = RecordClass(rawValue: 1)
    /// In questions: whatever there is.
    package static let any = RecordClass(rawValue: 255)
}
