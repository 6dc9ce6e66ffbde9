/// A text identifier, with a distinct type for each kind of thing.
///
/// Identifiers of two kinds cannot be confused, because the compiler keeps them apart. No identifier is a secret.
public protocol Identifier: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    /// Creates an identifier from its text. Kinds with a restricted form have an initialiser that parses.
    ///
    /// - Parameter rawValue: The identifier in messages and in the store.
    init(rawValue: String)
}

extension Identifier {
    /// Creates an identifier from its text.
    ///
    /// - Parameter name: The text, taken over unchanged.
    public init(_ name: String) { self.init(rawValue: name) }

    /// The text.
    public var description: String { rawValue }
}
