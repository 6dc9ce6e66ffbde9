internal import CArgon2
internal import CCrypt
internal import Crypto
internal import CryptoExtras
internal import FoundationEssentialsCompat

/// A library of the system could not compute a hash, as without memory.
struct PasswordLibraryError: Error {
    let function: String
    let reason: String
}

extension PasswordHashKind {
    /// Whether a password matches this hash of another system. Blocks the thread for the time of the function.
    ///
    /// The bytes are those that were typed: other systems do not normalise passwords.
    ///
    /// - Throws: ``PasswordLibraryError`` or an error of the crypto library when the hash cannot be computed.
    func matches(_ password: Password) throws -> Bool {
        let text = Array(password.revealed.utf8)
        switch self {
        case .scrypt(let stored):
            return Self.isSame(stored.hash, try stored.derive(from: text, count: stored.hash.count))
        case .pbkdf2(let stored): return Self.isSame(stored.hash, try stored.derive(from: text))
        case .argon2id(let stored): return Self.isSame(stored.hash, try stored.derive(from: text))
        case .crypt(let stored): return Self.isSame(Array(stored.text.utf8), try stored.derive(from: text))
        }
    }

    /// Compares in constant time.
    private static func isSame(_ stored: [UInt8], _ derived: [UInt8]?) -> Bool {
        guard let derived else { return false }
        return SecretDigest(restoring: stored) == SecretDigest(restoring: derived)
    }
}

extension ScryptHash {
    /// - Parameter count: The length of the result, in bytes.
    func derive(from password: [UInt8], count: Int) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: count, rounds: 1 << logN, blockSize: blockSize,
            parallelism: parallelism)
        return key.withUnsafeBytes { Array($0) }
    }
}

extension PBKDF2Hash {
    fileprivate func derive(from password: [UInt8]) throws -> [UInt8] {
        let function: KDF.Insecure.PBKDF2.HashFunction =
            switch digest {
            case .sha1: .insecureSHA1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        // The number of the other system is verified once, and replaced.
        let key = try KDF.Insecure.PBKDF2.deriveKey(
            from: password, salt: salt, using: function, outputByteCount: hash.count,
            unsafeUncheckedRounds: iterations)
        return key.withUnsafeBytes { Array($0) }
    }
}

extension Argon2idHash {
    fileprivate func derive(from password: [UInt8]) throws(PasswordLibraryError) -> [UInt8] {
        var derived = [UInt8](repeating: 0, count: hash.count)
        let status = argon2id_hash_raw(
            UInt32(passes), UInt32(memory), UInt32(parallelism), password, password.count, salt, salt.count, &derived,
            derived.count)
        guard status == ARGON2_OK.rawValue else {
            throw PasswordLibraryError(
                function: "argon2id_hash_raw", reason: String(cString: argon2_error_message(status)))
        }
        return derived
    }
}

extension CryptHash {
    /// The whole text for the password; `nil` for a password that `crypt` does not take: one with a zero byte, or of
    /// 512 bytes and more.
    fileprivate func derive(from password: [UInt8]) throws(PasswordLibraryError) -> [UInt8]? {
        guard !password.contains(0), password.count < CRYPT_MAX_PASSPHRASE_SIZE else { return nil }
        // The reentrant form; its memory begins with zeros.
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: MemoryLayout<crypt_data>.size, alignment: MemoryLayout<crypt_data>.alignment)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        let phrase = password.map { CChar(bitPattern: $0) } + [0]
        guard let result = crypt_rn(phrase, text, memory.baseAddress, Int32(memory.count)) else {
            throw PasswordLibraryError(function: "crypt_rn", reason: "no result for this setting")
        }
        return Array(String(cString: result).utf8)
    }
}
