/// The source of a fact about a request, which determines its trustworthiness.
public enum Provenance: String, Sendable, Hashable, Codable, CaseIterable {
    /// Proved by a key, a secret or the server's own register.
    case verified
    /// Observed by the server itself: an address, a time.
    case observed
    /// Claimed by the requester and not verified: an attacker can choose it freely.
    case asserted
}

/// A value together with its provenance.
///
/// ```swift
/// let name = Fact.asserted("Living room TV")
/// ```
public struct Fact<Value: Sendable>: Sendable {
    /// The stated value.
    public let value: Value
    /// The source of the value, which determines its trustworthiness.
    public let provenance: Provenance

    /// Creates a fact.
    public init(_ value: Value, _ provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }

    /// Creates a fact that was proved.
    ///
    /// - Parameter value: The value that a signature, key or secret proves.
    public static func verified(_ value: Value) -> Fact { Fact(value, .verified) }
    /// Creates a fact that the server observed itself.
    ///
    /// - Parameter value: The value that the server saw itself, such as an address or a time.
    public static func observed(_ value: Value) -> Fact { Fact(value, .observed) }
    /// Creates a fact that the requester claims.
    ///
    /// - Parameter value: The requester's own statement, which may be a lie.
    public static func asserted(_ value: Value) -> Fact { Fact(value, .asserted) }
}

extension Fact: Equatable where Value: Equatable {}
extension Fact: Hashable where Value: Hashable {}
extension Fact: Encodable where Value: Encodable {}
extension Fact: Decodable where Value: Decodable {}
