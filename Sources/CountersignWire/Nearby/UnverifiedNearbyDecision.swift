internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A signed decision taken apart, before anything of it is believed.
///
/// Standard: RFC 7515 §3.1, RFC 8725 §3.1 and §3.11 (one algorithm, one explicit type).
public struct UnverifiedNearbyDecision: Sendable {
    /// The type that stands in its header.
    public static let type = "countersign-nearby+jwt"
    /// The longest text that is read.
    static let longest = 4096

    private struct Header: Codable {
        let algorithm: String
        let type: String
        let key: ApproverKey?

        enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case type = "typ"
            case key = "jwk"
            /// Extensions that a reader must understand; this one understands none.
            case critical = "crit"
        }

        init(key: ApproverKey?) {
            algorithm = SigningAlgorithm.es256.rawValue
            type = UnverifiedNearbyDecision.type
            self.key = key
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try fields.decode(String.self, forKey: .algorithm)
            type = try fields.decode(String.self, forKey: .type)
            key = try fields.decodeIfPresent(ApproverKey.self, forKey: .key)
            guard algorithm == SigningAlgorithm.es256.rawValue, type == UnverifiedNearbyDecision.type,
                !fields.contains(.critical)
            else { throw DecodingError.dataCorruptedError(forKey: .type, in: fields, debugDescription: "another type") }
        }

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(algorithm, forKey: .algorithm)
            try fields.encode(type, forKey: .type)
            try fields.encodeIfPresent(key, forKey: .key)
        }
    }

    /// The text as it came, to be kept.
    public let text: String
    /// The key that came with it, if one did.
    public let key: ApproverKey?
    private let parts: CompactJWS

    /// Takes `text` apart.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when it is no JWS of this type by ES256.
    public init(_ text: String) throws(OAuthError) {
        guard text.utf8.count <= Self.longest, let parts = CompactJWS(text),
            let header = try? JSONDecoder().decode(Header.self, from: Data(parts.headerBytes))
        else {
            throw OAuthError(.invalidRequest, "the decision is no JWS of the right type", because: "malformed decision")
        }
        self.text = text
        self.parts = parts
        key = header.key
    }

    /// Reads the decision out of a request's form.
    ///
    /// - Throws: ``OAuthError`` `invalid_request`.
    public init(form: Form) throws(OAuthError) {
        try self.init(try form.required(Self.parameter))
    }

    private static let parameter = "decision"

    /// The form that a phone sends with a signed decision.
    public static func form(with text: String) -> Form {
        var form = Form()
        form[parameter] = text
        return form
    }

    /// What is said, if `key` has signed it.
    ///
    /// - Throws: ``OAuthError`` `invalid_request`.
    public func claims(signedBy key: ApproverKey) throws(OAuthError) -> NearbyDecisionClaims {
        guard key.verifies(parts.signature, over: parts.signedBytes) else {
            throw OAuthError(.invalidRequest, "the signature is wrong", because: "wrong signature")
        }
        guard let claims = try? JSONDecoder().decode(NearbyDecisionClaims.self, from: Data(parts.payload)) else {
            throw OAuthError(.invalidRequest, "a claim is missing or malformed", because: "malformed claims")
        }
        return claims
    }

    /// The text of a decision, with `sign` making the signature of 64 bytes over the bytes that it is given.
    public static func text(
        of claims: NearbyDecisionClaims,
        by key: ApproverKey,
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try CompactJWS.text(
            header: Array(try encoder.encode(Header(key: key))),
            payload: Array(try encoder.encode(claims)),
            signedBy: sign
        )
    }
}

/// Prints as redacted, as whoever has it could send it.
extension UnverifiedNearbyDecision: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "UnverifiedNearbyDecision(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
