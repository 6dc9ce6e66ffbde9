/// The key that a token is bound to (`cnf`).
///
/// Standard: RFC 7800 §3.1; RFC 9449 §6.1, §6.2; RFC 8705 §3.1, §3.2.
public struct KeyConfirmation: Sendable, Hashable, Codable {
    /// The key; `nil` when the token is bound in another way, or in more than one.
    public let key: SenderKey?

    /// Creates the confirmation of a key.
    public init(_ key: SenderKey) { self.key = key }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let proof = try Self.parsed(fields, .thumbprint) { KeyThumbprint(parsing: $0) }.map { SenderKey.proof($0) }
        let certificate = try Self.parsed(fields, .certificate) { CertificateThumbprint(parsing: $0) }
        let isAlone = try decoder.container(keyedBy: AnyMember.self).allKeys.count == 1
        key = isAlone ? proof ?? certificate.map { .certificate($0) } : nil
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch key {
        case .proof(let thumbprint): try fields.encode(thumbprint, forKey: .thumbprint)
        case .certificate(let thumbprint): try fields.encode(thumbprint, forKey: .certificate)
        case nil: break
        }
    }

    private static func parsed<Thumbprint>(
        _ fields: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys,
        _ parse: (String) -> Thumbprint?
    ) throws -> Thumbprint? {
        guard let text = try fields.decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let parsed = parse(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "no thumbprint")
        }
        return parsed
    }

    enum CodingKeys: String, CodingKey {
        case thumbprint = "jkt"
        case certificate = "x5t#S256"
    }

    /// A member of any name.
    private struct AnyMember: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
