/// The hash functions of stored passwords. A hash of any kind costs a bounded amount of time and memory.
package enum PasswordHashKind: Sendable, Equatable {
    /// The function of this server, and of others with further parameters. Standard: RFC 7914.
    case scrypt(ScryptHash)
    /// Standard: RFC 8018 §5.2.
    case pbkdf2(PBKDF2Hash)
    /// Standard: RFC 9106.
    case argon2id(Argon2idHash)
    /// A form of `crypt(5)`: bcrypt or SHA-512.
    case crypt(CryptHash)

    /// The maximum number of bytes of a hash as text.
    package static let longest = 1024

    /// Reads the stored form of a hash.
    ///
    /// - Throws: ``PasswordHashError`` for another form, and for a hash that costs too much.
    package init(parsing text: String) throws(PasswordHashError) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed
        }
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count >= 2, fields[0].isEmpty else { throw .unknownForm }
        let rest = Array(fields.dropFirst(2))
        switch fields[1] {
        case "scrypt": self = .scrypt(try ScryptHash(phc: rest))
        case "argon2id": self = .argon2id(try Argon2idHash(phc: rest))
        case "7": self = .scrypt(try ScryptHash(crypt: text, fields: rest))
        case "2a", "2b", "2y", "6": self = .crypt(try CryptHash(parsing: text, fields: rest))
        case let name:
            guard let digest = PBKDF2Hash.Digest(phc: name) else { throw .unknownForm }
            self = .pbkdf2(try PBKDF2Hash(digest, phc: rest))
        }
    }

    /// The stored form.
    package var text: String {
        switch self {
        case .scrypt(let hash): hash.text
        case .pbkdf2(let hash): hash.text
        case .argon2id(let hash): hash.text
        case .crypt(let hash): hash.text
        }
    }

    /// The name of the function, for the audit.
    package var name: String {
        switch self {
        case .scrypt: "scrypt"
        case .pbkdf2: "PBKDF2"
        case .argon2id: "Argon2id"
        case .crypt(let hash): hash.method.rawValue
        }
    }
}
