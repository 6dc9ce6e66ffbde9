internal import FoundationEssentialsCompat

/// A credential of the type `password` in the export of a Keycloak realm.
///
/// Its two parts are texts of JSON inside of JSON; objects in their place are read too, and the flat form of versions
/// before 8.
struct KeycloakCredential: Decodable {
    private let secret: Secret
    private let parameters: Parameters

    private struct Secret: Decodable {
        let value: Data?
        /// The name of `value` in versions before 8.
        let hashedSaltedValue: Data?
        let salt: Data
    }

    private struct Parameters: Decodable {
        let algorithm: String
        let hashIterations: Int
        let additionalParameters: [String: [String]]?

        func number(_ name: String) -> Int? { additionalParameters?[name]?.first.flatMap { Int($0) } }
    }

    private enum CodingKeys: String, CodingKey {
        case secretData, credentialData
    }

    /// Reads a credential.
    ///
    /// - Throws: ``PasswordHashError/malformed`` when it is no JSON, or a member is missing.
    static func read(_ text: String) throws(PasswordHashError) -> KeycloakCredential {
        guard let credential = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { throw .malformed }
        return credential
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        secret = try Self.part(.secretData, of: members) ?? Secret(from: decoder)
        parameters = try Self.part(.credentialData, of: members) ?? Parameters(from: decoder)
    }

    private static func part<Part: Decodable>(
        _ key: CodingKeys, of members: KeyedDecodingContainer<CodingKeys>
    ) throws -> Part? {
        guard members.contains(key) else { return nil }
        guard let text = try? members.decode(String.self, forKey: key) else {
            return try members.decode(Part.self, forKey: key)
        }
        return try JSONDecoder().decode(Part.self, from: Data(text.utf8))
    }

    /// The stored form.
    var kind: PasswordHashKind {
        get throws(PasswordHashError) {
            guard let value = secret.value ?? secret.hashedSaltedValue else { throw .malformed }
            let (salt, hash) = (Array(secret.salt), Array(value))
            switch parameters.algorithm {
            case "pbkdf2": return .pbkdf2(try pbkdf2(.sha1, salt, hash))
            case "pbkdf2-sha256": return .pbkdf2(try pbkdf2(.sha256, salt, hash))
            case "pbkdf2-sha512": return .pbkdf2(try pbkdf2(.sha512, salt, hash))
            case "argon2":
                let options = parameters.additionalParameters ?? [:]
                guard options["type"] == ["id"], options["version"] == ["1.3"] else { throw .unknownForm }
                guard let memory = parameters.number("memory"), let lanes = parameters.number("parallelism") else {
                    throw .malformed
                }
                return .argon2id(
                    try Argon2idHash(
                        memory: memory, passes: parameters.hashIterations, parallelism: lanes, salt: salt, hash: hash))
            default: throw .unknownForm
            }
        }
    }

    private func pbkdf2(
        _ digest: PBKDF2Hash.Digest, _ salt: [UInt8], _ hash: [UInt8]
    ) throws(PasswordHashError) -> PBKDF2Hash {
        try PBKDF2Hash(digest, iterations: parameters.hashIterations, salt: salt, hash: hash)
    }
}
