public import Countersign

/// The claims that an app states when its person decides about a request; the app signs exactly this.
///
/// Instants are whole seconds since 1970.
public protocol DecisionClaims: Codable, Sendable {
    /// The type in the header of the signed text (`typ`), one for each kind of decision.
    static var type: String { get }
    /// The longest signed text that is read, in bytes; 4,096 by default.
    static var longest: Int { get }

    /// The claims that every signed decision has.
    var common: CommonDecisionClaims { get set }
    /// An instant that must be in the past; `nil`, which is the default, for none.
    var instantInThePast: Int? { get }
}

extension DecisionClaims {
    /// 4,096 bytes.
    public static var longest: Int { 4096 }
    /// None.
    public var instantInThePast: Int? { nil }

    /// The issuer of the only server that the decision is meant for (`aud`).
    public var audience: String {
        get { common.audience }
        set { common.audience = newValue }
    }
    /// The request that is decided (`exc`).
    public var exchange: SignInRequest.ID {
        get { common.exchange }
        set { common.exchange = newValue }
    }
    /// The nonce from the look that the person based the decision on.
    public var nonce: DecisionNonce {
        get { common.nonce }
        set { common.nonce = newValue }
    }
    /// The digest of the answer to that look, and so of what was shown.
    public var shown: ShownDigest {
        get { common.shown }
        set { common.shown = newValue }
    }
    /// The time when the app signed, in seconds since 1970 (`iat`).
    public var issued: Int {
        get { common.issued }
        set { common.issued = newValue }
    }
    /// Identifies this decision (`jti`).
    public var id: String {
        get { common.id }
        set { common.id = newValue }
    }
}
