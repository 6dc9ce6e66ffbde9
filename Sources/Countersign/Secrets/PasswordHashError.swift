/// The reason that a text is no hash of a password that this server verifies.
package enum PasswordHashError: Error, Equatable {
    /// The text begins as no known form does.
    case unknownForm
    /// A part of the form is missing, or has another length or other characters.
    case malformed
    /// A verification would take more time or memory than ``PasswordHashLimits`` allow.
    case tooCostly
}

/// The limits on the cost of stored hashes, so that none stops the server. Each function takes some seconds at most.
package enum PasswordHashLimits {
    /// The maximum memory of scrypt and Argon2, in bytes: 1 GiB.
    package static let memory = 1 << 30
    /// The maximum product N·r·p of scrypt.
    package static let scryptWork = 1 << 23
    /// The maximum product of passes and KiB of Argon2.
    package static let argon2Work = 1 << 22
    /// The maximum number of lanes of Argon2, each of which is a thread, and of parallel parts of scrypt.
    package static let parallelism = 16
    /// The maximum number of iterations of PBKDF2, and of rounds of SHA-512.
    package static let iterations = 5_000_000
    /// The maximum cost of bcrypt, a binary logarithm.
    package static let bcryptCost = 16
    /// The lengths of a hash, in bytes: a shorter one could be met by chance.
    package static let hashLength = 16...64
    /// The lengths of a salt, in bytes.
    package static let saltLength = 1...128
}
