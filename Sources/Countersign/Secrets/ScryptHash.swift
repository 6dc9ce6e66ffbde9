/// A hash by scrypt.
///
/// Standard: RFC 7914; PHC string format; crypt(5) of libxcrypt.
package struct ScryptHash: Sendable, Equatable {
    /// The text forms of such hashes.
    private enum Form: Equatable {
        /// `$scrypt$ln=17,r=8,p=1$salt$hash`, as this server writes it.
        case phc
        /// The whole text of a hash that begins with `$7$`.
        case crypt(String)
    }

    private let form: Form
    /// The binary logarithm of N.
    package let logN: Int
    /// The block size r.
    package let blockSize: Int
    /// The parallelization parameter p.
    package let parallelism: Int
    package let salt: [UInt8]
    package let hash: [UInt8]

    /// The block size of this server's own hashes.
    package static let ownBlockSize = 8
    /// The length of this server's own hashes, in bytes.
    package static let ownLength = 32

    package init(logN: Int, salt: [UInt8], hash: [UInt8]) {
        (self.logN, blockSize, parallelism) = (logN, Self.ownBlockSize, 1)
        (self.salt, self.hash, form) = (salt, hash, .phc)
    }

    /// Reads the fields after the name.
    init(phc fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 3, let numbers = PHCString.parameters(fields[0], ["ln", "r", "p"]) else {
            throw .malformed
        }
        (logN, blockSize, parallelism) = (numbers[0], numbers[1], numbers[2])
        try Self.limit(logN: logN, blockSize: blockSize, parallelism: parallelism)
        (salt, hash) = try PHCString.saltAndHash(fields[1], fields[2])
        form = .phc
    }

    /// Reads the form `$7$`: one character of log N, five of r, five of p, the salt as it is, and 43 characters of the
    /// hash. libxcrypt takes salts of its alphabet alone; Passlib writes Base64 there.
    ///
    /// - Parameters:
    ///   - text: The whole hash.
    ///   - fields: The fields of it after the name.
    init(crypt text: String, fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 2, let costs = CryptHash.values(of: fields[0].utf8.prefix(11)), costs.count == 11,
            let digits = CryptHash.values(of: fields[1].utf8), digits.count == 43
        else { throw .malformed }
        let number = { (digits: ArraySlice<Int>) in digits.reversed().reduce(0) { $0 << 6 | $1 } }
        (logN, blockSize, parallelism) = (costs[0], number(costs[1...5]), number(costs[6...10]))
        try Self.limit(logN: logN, blockSize: blockSize, parallelism: parallelism)
        salt = Array(fields[0].utf8.dropFirst(11))
        // Four characters are three bytes, the lowest first; the last three are two.
        let bytes = stride(from: 0, to: 43, by: 4).flatMap { start in
            let group = number(digits[start..<min(start + 4, 43)])
            return [0, 8, 16].map { UInt8(truncatingIfNeeded: group >> $0) }
        }
        // Two bits of the last group are no part of the hash.
        guard bytes[32] == 0 else { throw .malformed }
        (hash, form) = (Array(bytes.prefix(32)), .crypt(text))
    }

    /// - Throws: ``PasswordHashError`` for parameters that the function does not have, and for too high costs.
    private static func limit(logN: Int, blockSize: Int, parallelism: Int) throws(PasswordHashError) {
        guard logN >= 1, blockSize >= 1, parallelism >= 1 else { throw .malformed }
        guard logN <= 20, blockSize <= 1024, parallelism <= PasswordHashLimits.parallelism,
            (128 * blockSize) << logN <= PasswordHashLimits.memory,
            (blockSize * parallelism) << logN <= PasswordHashLimits.scryptWork
        else { throw .tooCostly }
        // N is less than 2^(128·r/8).
        guard logN < 16 * blockSize else { throw .malformed }
    }

    /// Whether the server writes such hashes itself, at some cost.
    package var isOwn: Bool {
        form == .phc && blockSize == Self.ownBlockSize && parallelism == 1 && hash.count == Self.ownLength
    }

    var text: String {
        switch form {
        case .phc: "$scrypt$ln=\(logN),r=\(blockSize),p=\(parallelism)$\(PHCString.text(salt))$\(PHCString.text(hash))"
        case .crypt(let text): text
        }
    }
}
