/// The app of a link; both ends must have the same, byte for byte.
///
/// Use a domain in reverse order, as app stores do: `net.example.player`.
public struct NearbyAppID: Sendable, Hashable, CustomStringConvertible {
    /// The given name.
    public let rawValue: String

    /// Takes 1 to 255 bytes of UTF-8; `nil` for less or more.
    ///
    /// - Parameter text: The same identifier in the apps of both devices, such as `com.example.cinema`.
    public init?(_ text: String) {
        guard (1...255).contains(text.utf8.count) else { return nil }
        rawValue = text
    }

    /// The given id.
    public var description: String { rawValue }

    /// Compared by bytes: two spellings of one character are two apps.
    public static func == (left: NearbyAppID, right: NearbyAppID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Hashes the bytes, as `==` compares them.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
}
