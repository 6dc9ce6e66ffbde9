/// Where a fact about a request comes from, and so how far it can be believed.
public enum Provenance: String, Sendable, Hashable, Codable, CaseIterable {
    /// Proved by a key, a secret or the server's own register.
    case verified
    /// Seen by the server itself: an address, a time.
    case observed
    /// Said by the requester and believed by nobody: attackers write these.
    case asserted
}

/// A value together with where it comes from.
public struct Fact<Value: Sendable>: Sendable {
    public let value: Value
    public let provenance: Provenance

    /// Keeps `value` with its provenance.
    public init(_ value: Value, _ provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }

    /// A fact that was proved.
    public static func verified(_ value: Value) -> Fact { Fact(value, .verified) }
    /// A fact that the server saw.
    public static func observed(_ value: Value) -> Fact { Fact(value, .observed) }
    /// A fact that the requester claims.
    public static func asserted(_ value: Value) -> Fact { Fact(value, .asserted) }
}

extension Fact: Equatable where Value: Equatable {}
extension Fact: Hashable where Value: Hashable {}
extension Fact: Encodable where Value: Encodable {}
extension Fact: Decodable where Value: Decodable {}
