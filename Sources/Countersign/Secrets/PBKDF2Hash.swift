/// A hash by PBKDF2 with HMAC.
///
/// Standard: RFC 8018 §5.2; PHC string format. Passlib's variation of the text is read too.
package struct PBKDF2Hash: Sendable, Equatable {
    /// The hash function below HMAC.
    package enum Digest: String, Sendable {
        case sha1 = "pbkdf2"
        case sha256 = "pbkdf2-sha256"
        case sha512 = "pbkdf2-sha512"

        init?(phc name: Substring) {
            self.init(rawValue: String(name))
        }
    }

    package let digest: Digest
    package let iterations: Int
    package let salt: [UInt8]
    package let hash: [UInt8]

    /// - Throws: ``PasswordHashError`` for lengths and iterations outside of ``PasswordHashLimits``.
    package init(
        _ digest: Digest, iterations: Int, salt: [UInt8], hash: [UInt8]
    ) throws(PasswordHashError) {
        guard iterations >= 1, PasswordHashLimits.saltLength.contains(salt.count),
            PasswordHashLimits.hashLength.contains(hash.count)
        else { throw .malformed }
        guard iterations <= PasswordHashLimits.iterations else { throw .tooCostly }
        (self.digest, self.iterations, self.salt, self.hash) = (digest, iterations, salt, hash)
    }

    /// Reads the fields after the name. Passlib omits the name of the iterations, and has `.` in place of `+`.
    init(_ digest: Digest, phc fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 3,
            let iterations = PHCString.parameters(fields[0], ["i"])?.first ?? PHCString.number(fields[0])
        else { throw .malformed }
        let plus = { (text: Substring) in String(text.map { $0 == "." ? "+" : $0 }) }
        let (salt, hash) = try PHCString.saltAndHash(plus(fields[1]), plus(fields[2]))
        try self.init(digest, iterations: iterations, salt: salt, hash: hash)
    }

    var text: String {
        "$\(digest.rawValue)$i=\(iterations)$\(PHCString.text(salt))$\(PHCString.text(hash))"
    }
}
