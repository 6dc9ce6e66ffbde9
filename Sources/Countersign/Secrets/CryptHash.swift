/// A hash that the system's `crypt` verifies.
///
/// Standard: crypt(5) of libxcrypt.
package struct CryptHash: Sendable, Equatable {
    package enum Method: String, Sendable {
        case bcrypt
        case sha512 = "SHA-512"
        case scrypt
    }

    package let method: Method
    /// The whole hash, which serves as the setting of the verification too.
    package let text: String

    /// Reads a hash, and limits its cost.
    ///
    /// - Parameters:
    ///   - text: The whole hash.
    ///   - fields: The fields of it after the name.
    init(parsing text: String, fields: [Substring]) throws(PasswordHashError) {
        self.text = text
        if text.hasPrefix("$2") {
            method = .bcrypt
            try Self.limitBcrypt(fields)
        } else if text.hasPrefix("$6") {
            method = .sha512
            try Self.limitSHA512(fields)
        } else {
            method = .scrypt
            try Self.limitScrypt(fields)
        }
    }

    /// `$2b$10$`, 22 characters of salt and 31 of the hash.
    private static func limitBcrypt(_ fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 2, fields[0].utf8.count == 2, let cost = PHCString.number(fields[0]), cost >= 4,
            fields[1].utf8.count == 53, fields[1].utf8.allSatisfy({ value(of: $0) != nil })
        else { throw .malformed }
        guard cost <= PasswordHashLimits.bcryptCost else { throw .tooCostly }
    }

    /// `$6$`, `rounds=5000$` where they are not 5,000, up to 16 characters of salt, and 86 of the hash.
    private static func limitSHA512(_ fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 2 || fields.count == 3, let salt = fields.dropLast().last, salt.utf8.count <= 16,
            salt.utf8.allSatisfy({ value(of: $0) != nil }), let hash = fields.last, hash.utf8.count == 86,
            hash.utf8.allSatisfy({ value(of: $0) != nil })
        else { throw .malformed }
        guard fields.count == 3 else { return }
        guard let rounds = PHCString.parameters(fields[0], ["rounds"])?.first, rounds >= 1000 else { throw .malformed }
        guard rounds <= PasswordHashLimits.iterations else { throw .tooCostly }
    }

    /// `$7$`, one character of log N, five of r, five of p, the salt, and 43 characters of the hash.
    private static func limitScrypt(_ fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 2, (11...75).contains(fields[0].utf8.count), fields[1].utf8.count == 43,
            fields.allSatisfy({ $0.utf8.allSatisfy { value(of: $0) != nil } })
        else { throw .malformed }
        let digits = fields[0].utf8.prefix(11).compactMap { value(of: $0) }
        let number = { (digits: ArraySlice<Int>) in
            digits.reversed().reduce(0) { $0 << 6 | $1 }
        }
        try ScryptHash.limit(logN: digits[0], blockSize: number(digits[1...5]), parallelism: number(digits[6...10]))
    }

    /// The value of a character of the alphabet `./0-9A-Za-z`; `nil` for another one. The alphabet of bcrypt has the
    /// same characters in another order.
    private static func value(of character: UInt8) -> Int? {
        switch character {
        case 0x2E...0x39: Int(character) - 0x2E
        case 0x41...0x5A: Int(character) - 0x41 + 12
        case 0x61...0x7A: Int(character) - 0x61 + 38
        default: nil
        }
    }
}
