/// A text that identifies a thing, with a type of its own for each kind of thing.
///
/// Identifiers of two kinds cannot be confused, because the compiler keeps them apart. No identifier is a secret.
public protocol Identifier: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    /// Creates an identifier from its text. Kinds with a form of their own have an initialiser that parses.
    ///
    /// - Parameter rawValue: The identifier as it stands in messages and in the store.
    init(rawValue: String)
}

extension Identifier {
    /// Creates an identifier from its text.
    ///
    /// - Parameter name: The text, taken over unchanged.
    public init(_ name: String) {
        self.init(rawValue: name)
    }

    /// The text.
    public var description: String { rawValue }
}
