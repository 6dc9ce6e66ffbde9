/// A hash by scrypt.
///
/// Standard: RFC 7914; PHC string format.
package struct ScryptHash: Sendable, Equatable {
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
        (self.salt, self.hash) = (salt, hash)
    }

    /// Reads the fields after the name.
    init(phc fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 3, let numbers = PHCString.parameters(fields[0], ["ln", "r", "p"]) else {
            throw .malformed
        }
        (logN, blockSize, parallelism) = (numbers[0], numbers[1], numbers[2])
        try Self.limit(logN: logN, blockSize: blockSize, parallelism: parallelism)
        (salt, hash) = try PHCString.saltAndHash(fields[1], fields[2])
    }

    /// - Throws: ``PasswordHashError`` for parameters that the function does not have, and for too high costs.
    static func limit(logN: Int, blockSize: Int, parallelism: Int) throws(PasswordHashError) {
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
        blockSize == Self.ownBlockSize && parallelism == 1 && hash.count == Self.ownLength
    }

    var text: String {
        "$scrypt$ln=\(logN),r=\(blockSize),p=\(parallelism)$\(PHCString.text(salt))$\(PHCString.text(hash))"
    }
}
