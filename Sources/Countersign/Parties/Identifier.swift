/// A name that one party gave to a thing, kept apart from other names by its type.
///
/// Two identifiers of different kinds cannot be swapped by mistake, and none of them is a secret.
public protocol Identifier: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension Identifier {
    /// Names the thing by `name`.
    public init(_ name: String) {
        self.init(rawValue: name)
    }

    public var description: String { rawValue }
}
