internal import FoundationEssentialsCompat

extension PasswordHash {
    /// Reads a hash as another system exports it, and writes it in a stored form.
    ///
    /// These are PHC strings, forms of `crypt(5)`, Django's, ASP.NET Core Identity's and Keycloak's.
    ///
    /// - Throws: ``PasswordHashError`` for another form, and for a hash that costs too much.
    package init(imported text: String) throws(PasswordHashError) {
        let text = TypedText.trimmed(text)
        guard text.utf8.count <= 8 * PasswordHashKind.longest else { throw .malformed }
        if text.hasPrefix("$") {
            self.init(try PasswordHashKind(parsing: text))
        } else if text.prefixMatch(of: /\{[A-Za-z][^{}"]*\}/) != nil {
            // A scheme of LDAP, as in `{SSHA}`.
            throw .unknownForm
        } else if text.hasPrefix("{") {
            self.init(try KeycloakCredential.read(text).kind)
        } else if text.contains("$") {
            self.init(try Self.django(text))
        } else {
            self.init(.pbkdf2(try Self.identity(text)))
        }
    }

    /// Django's forms: `pbkdf2_sha256$iterations$salt$hash`, and the PHC string or the form of `crypt` after a name.
    private static func django(_ text: String) throws(PasswordHashError) -> PasswordHashKind {
        for name in ["argon2", "bcrypt$"] where text.hasPrefix("\(name)$") {
            return try PasswordHashKind(parsing: String(text.dropFirst(name.count)))
        }
        let digest: PBKDF2Hash.Digest
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        switch fields[0] {
        case "pbkdf2_sha256": digest = .sha256
        case "pbkdf2_sha1": digest = .sha1
        default: throw .unknownForm
        }
        guard fields.count == 4, fields[1].utf8.count <= 10, let iterations = Int(fields[1]),
            let hash = Data(base64Encoded: String(fields[3]))
        else { throw .malformed }
        return .pbkdf2(
            try PBKDF2Hash(digest, iterations: iterations, salt: Array(fields[2].utf8), hash: Array(hash)))
    }

    /// The binary forms of ASP.NET Core Identity, in Base64: version 2, and version 3 with its parameters.
    private static func identity(_ text: String) throws(PasswordHashError) -> PBKDF2Hash {
        guard let data = Data(base64Encoded: text) else { throw .unknownForm }
        let bytes = Array(data)
        switch bytes.first {
        case 0:
            guard bytes.count == 49 else { throw .malformed }
            return try PBKDF2Hash(.sha1, iterations: 1000, salt: Array(bytes[1...16]), hash: Array(bytes[17...]))
        case 1:
            guard bytes.count > 13 else { throw .malformed }
            let numbers = [1, 5, 9].map { bytes[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
            let digests: [PBKDF2Hash.Digest] = [.sha1, .sha256, .sha512]
            guard numbers[0] < digests.count else { throw .unknownForm }
            guard numbers[2] < bytes.count - 13 else { throw .malformed }
            let salt = bytes[13..<13 + numbers[2]]
            return try PBKDF2Hash(
                digests[numbers[0]], iterations: numbers[1], salt: Array(salt), hash: Array(bytes[salt.endIndex...]))
        default: throw .unknownForm
        }
    }
}
