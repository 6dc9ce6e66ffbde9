internal import FoundationEssentialsCompat

/// The header of what an app signs by its own key: ES256 alone, one type for each kind of statement, and the public
/// key.
///
/// Standard: RFC 7515 §4.1; RFC 8725 §3.1 and §3.11 (one algorithm, one explicit type).
struct ApproverSignatureHeader: Codable {
    let type: String
    let key: ApproverKey?

    enum CodingKeys: String, CodingKey {
        case algorithm = "alg"
        case type = "typ"
        case key = "jwk"
        /// Extensions that a reader must understand; this one understands none.
        case critical = "crit"
    }

    init(_ type: String, key: ApproverKey?) {
        self.type = type
        self.key = key
    }

    /// Reads the header of a statement of this type; `nil` for another type or algorithm.
    init?(of type: String, reading bytes: [UInt8]) {
        guard let header = try? JSONDecoder().decode(Self.self, from: Data(bytes)), header.type == type else {
            return nil
        }
        self = header
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        type = try fields.decode(String.self, forKey: .type)
        key = try fields.decodeIfPresent(ApproverKey.self, forKey: .key)
        let algorithm = try fields.decode(String.self, forKey: .algorithm)
        guard algorithm == SigningAlgorithm.es256.rawValue, !fields.contains(.critical) else {
            throw DecodingError.dataCorruptedError(
                forKey: .algorithm, in: fields, debugDescription: "another algorithm")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(SigningAlgorithm.es256.rawValue, forKey: .algorithm)
        try fields.encode(type, forKey: .type)
        try fields.encodeIfPresent(key, forKey: .key)
    }
}
