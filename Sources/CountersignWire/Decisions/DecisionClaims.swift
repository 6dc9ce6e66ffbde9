public import Countersign

/// What an app states when its person decides about a request; the app signs exactly this.
///
/// Instants are whole seconds since 1970.
public protocol DecisionClaims: Codable, Sendable {
    /// The type in the header of the signed text (`typ`), one for each kind of decision.
    static var type: String { get }
    /// The longest signed text that is read, in bytes; 4,096 by default.
    static var longest: Int { get }

    /// The issuer of the only server for which the decision is meant.
    var audience: String { get }
    /// The request that is decided.
    var exchange: SignInRequest.ID { get }
    /// The nonce from the look on which the person based the decision.
    var nonce: NearbyNonce { get }
    /// The digest of the answer to that look.
    var shown: ShownDigest { get }
    /// When the app signed.
    var issued: Int { get }
    /// An instant that must be in the past; `nil`, which is the default, for none.
    var instantInThePast: Int? { get }
}

extension DecisionClaims {
    /// 4,096 bytes.
    public static var longest: Int { 4096 }
    /// None.
    public var instantInThePast: Int? { nil }
}
