/// A hash by Argon2id, version 1.3.
///
/// Standard: RFC 9106; PHC string format.
package struct Argon2idHash: Sendable, Equatable {
    /// The memory, in KiB.
    package let memory: Int
    package let passes: Int
    /// The number of lanes.
    package let parallelism: Int
    package let salt: [UInt8]
    package let hash: [UInt8]

    /// - Throws: ``PasswordHashError`` for parameters that the function does not have, and for too high costs.
    package init(
        memory: Int, passes: Int, parallelism: Int, salt: [UInt8], hash: [UInt8]
    ) throws(PasswordHashError) {
        guard memory >= 1, passes >= 1, parallelism >= 1, salt.count >= 8,
            PasswordHashLimits.saltLength.contains(salt.count),
            PasswordHashLimits.hashLength.contains(hash.count)
        else { throw .malformed }
        guard parallelism <= PasswordHashLimits.parallelism, memory <= PasswordHashLimits.memory >> 10,
            passes <= PasswordHashLimits.argon2Work, memory * passes <= PasswordHashLimits.argon2Work
        else { throw .tooCostly }
        guard memory >= 8 * parallelism else { throw .malformed }
        (self.memory, self.passes, self.parallelism) = (memory, passes, parallelism)
        (self.salt, self.hash) = (salt, hash)
    }

    /// Reads the fields after the name.
    init(phc fields: [Substring]) throws(PasswordHashError) {
        guard fields.count == 4, fields[0] == "v=19",
            let numbers = PHCString.parameters(fields[1], ["m", "t", "p"])
        else { throw .malformed }
        let (salt, hash) = try PHCString.saltAndHash(fields[2], fields[3])
        try self.init(memory: numbers[0], passes: numbers[1], parallelism: numbers[2], salt: salt, hash: hash)
    }

    var text: String {
        "$argon2id$v=19$m=\(memory),t=\(passes),p=\(parallelism)$\(PHCString.text(salt))$\(PHCString.text(hash))"
    }
}
