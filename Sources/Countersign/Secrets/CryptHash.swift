/// A hash that the system's `crypt` verifies.
///
/// Standard: crypt(5) of libxcrypt.
package struct CryptHash: Sendable, Equatable {
    package enum Method: String, Sendable {
        case bcrypt
        case sha512 = "SHA-512"
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
        } else {
            method = .sha512
            try Self.limitSHA512(fields)
        }
    }

    /// `$2b$10$`, 22 characters of salt and 31 of the hash.
    private static func limitBcrypt(_ fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 2, fields[0].utf8.count == 2, let cost = PHCString.number(fields[0]), cost >= 4,
            values(of: fields[1].utf8)?.count == 53
        else { throw .malformed }
        guard cost <= PasswordHashLimits.bcryptCost else { throw .tooCostly }
    }

    /// `$6$`, `rounds=5000$` where they are not 5,000, up to 16 characters of salt, and 86 of the hash.
    private static func limitSHA512(_ fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 2 || fields.count == 3, let salt = fields.dropLast().last, salt.utf8.count <= 16,
            !salt.utf8.contains(where: ":;*!\\".utf8.contains), let hash = fields.last,
            values(of: hash.utf8)?.count == 86
        else { throw .malformed }
        guard fields.count == 3 else { return }
        guard let rounds = PHCString.parameters(fields[0], ["rounds"])?.first, rounds >= 1000 else { throw .malformed }
        guard rounds <= PasswordHashLimits.iterations else { throw .tooCostly }
    }

    /// The values of all characters; `nil` where one is of another alphabet.
    static func values(of text: some Sequence<UInt8>) -> [Int]? {
        var values: [Int] = []
        for character in text {
            guard let value = value(of: character) else { return nil }
            values.append(value)
        }
        return values
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
