/// Where a fact about a request comes from, and so how far it can be believed.
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
    /// What is stated.
    public let value: Value
    /// How far it can be believed.
    public let provenance: Provenance

    /// Creates a fact.
    ///
    /// - Parameters:
    ///   - value: What is stated.
    ///   - provenance: Where it comes from.
    public init(_ value: Value, _ provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }

    /// Creates a fact that was proved.
    ///
    /// - Parameter value: What a signature, key or secret proves.
    public static func verified(_ value: Value) -> Fact { Fact(value, .verified) }
    /// Creates a fact that the server observed itself.
    ///
    /// - Parameter value: What the server saw itself, such as an address or a time.
    public static func observed(_ value: Value) -> Fact { Fact(value, .observed) }
    /// Creates a fact that the requester claims.
    ///
    /// - Parameter value: What the requester says, which may be a lie.
    public static func asserted(_ value: Value) -> Fact { Fact(value, .asserted) }
}

extension Fact: Equatable where Value: Equatable {}
extension Fact: Hashable where Value: Hashable {}
extension Fact: Encodable where Value: Encodable {}
extension Fact: Decodable where Value: Decodable {}
