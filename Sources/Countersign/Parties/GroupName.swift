/// The name of a group of people, such as `staff`.
///
/// Apps compare it as text, so that its case counts.
public struct GroupName: Identifier {
    /// The name in claims and in the store.
    public let rawValue: String
    /// Creates a name from text that was parsed before; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The number of characters of the longest name.
    public static let longest = 64

    /// Reads a name as an operator types it.
    ///
    /// - Parameter text: 1 to ``longest`` letters and digits of ASCII and `. _ - @ + : /`; `nil` is returned for
    ///   anything else, such as the commas with which proxies part the groups in a header.
    public init?(parsing text: String) {
        guard text.isPlainName(upTo: Self.longest, with: "._-@+:/") else { return nil }
        self.init(rawValue: text)
    }
}

/// The name of an attribute of a person that the operator defined, such as `department`.
public struct AttributeName: Identifier {
    /// The name in the store.
    public let rawValue: String
    /// Creates a name from text that was parsed before; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a name as an operator types it.
    ///
    /// - Parameter text: 1 to 64 letters and digits of ASCII and `. _ -`; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard text.isPlainName(upTo: 64, with: "._-") else { return nil }
        self.init(rawValue: text)
    }
}

extension String {
    /// Whether it has 1 to `longest` characters, each a letter or a digit of ASCII or one of `signs`.
    package func isPlainName(upTo longest: Int, with signs: String) -> Bool {
        let allowed = Set(signs.utf8)
        return (1...longest).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: allowed.contains(byte)
                }
            }
    }
}
