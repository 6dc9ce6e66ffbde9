/// The description of a service: keys, most of them with a value.
///
/// Standard: RFC 6763 §6.
public struct TXTRecord: Hashable, Sendable {
    /// A key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key, up to the first `=`.
        public let key: String
        /// Any bytes; `nil` when the key has no `=`, which differs from an empty value.
        public let value: [UInt8]?

        /// The value as text; invalid UTF-8 is repaired.
        public var text: String? { value.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The entries in order. Keys are unique, without regard to case.
    public let entries: [Entry]

    /// A record without entries.
    public static let empty = TXTRecord(unchecked: [])

    /// Creates a record of keys with values; if a key occurs twice, the first one counts.
    ///
    /// - Parameter pairs: The entries in their order; a value of `nil` is a key without `=`.
    /// - Throws: ``DiscoveryError`` with code `notWellFormed` when a key is empty or has characters beyond printable
    ///   ASCII or an `=`, an entry is longer than 255 bytes, or all are longer than 8192.
    public init(_ pairs: [(key: String, value: [UInt8]?)]) throws(DiscoveryError) {
        var entries: [Entry] = []
        var length = 0
        for (key, value) in pairs {
            guard Self.isKey(key.utf8) else {
                throw DiscoveryError(
                    .notWellFormed, "'\(key)' is no key: it has printable ASCII characters, and no '='.")
            }
            let size = key.utf8.count + (value.map { 1 + $0.count } ?? 0)
            length += 1 + size
            guard size <= 255 else {
                throw DiscoveryError(.notWellFormed, "'\(key)' and its value are longer than 255 bytes together.")
            }
            guard length <= Self.longest else {
                throw DiscoveryError(.notWellFormed, "The text is longer than \(Self.longest) bytes.")
            }
            entries.append(Entry(key: key, value: value))
        }
        self.entries = Self.firstOnes(entries)
    }

    /// Creates a record of keys with text values.
    ///
    /// - Parameter pairs: The entries in their order; values are written as UTF-8.
    /// - Throws: ``DiscoveryError`` as above.
    public init(_ pairs: KeyValuePairs<String, String>) throws(DiscoveryError) {
        try self.init(pairs.map { ($0.key, Array($0.value.utf8)) })
    }

    private init(unchecked entries: [Entry]) { self.entries = entries }

    /// The entry of `key`, without regard to case.
    ///
    /// - Parameter key: The key, in any case.
    public subscript(key: String) -> Entry? { entries.first { $0.key.lowercased() == key.lowercased() } }

    private static let longest = 8192

    private static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    private static func firstOnes(_ entries: [Entry]) -> [Entry] {
        var seen: Set<String> = []
        return entries.filter { seen.insert($0.key.lowercased()).inserted }
    }
}

extension TXTRecord {
    /// Reads the strings of a TXT record, without those that the standard ignores.
    init(strings: [[UInt8]]) {
        let entries = strings.compactMap { string -> Entry? in
            let key = string.prefix { $0 != UInt8(ascii: "=") }
            guard Self.isKey(key) else { return nil }
            let value = key.count == string.count ? nil : Array(string[(key.endIndex + 1)...])
            return Entry(key: String(decoding: key, as: UTF8.self), value: value)
        }
        self.init(unchecked: Self.firstOnes(entries))
    }

    /// The strings of the TXT record; one empty string when there are no entries.
    var strings: [[UInt8]] {
        entries.isEmpty ? [[]] : entries.map { Array($0.key.utf8) + ($0.value.map { [UInt8(ascii: "=")] + $0 } ?? []) }
    }
}
