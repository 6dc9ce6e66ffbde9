internal import Crypto

/// Computes one-time passwords from a counter.
///
/// ```swift
/// let hotp = HOTP(secret: secret)
/// let first = hotp.password(at: 0)
/// ```
///
/// Standard: RFC 4226 §5.
public struct HOTP: Sendable, Equatable {
    /// The hash function of the HMAC.
    ///
    /// Standard: RFC 4226 §5.2; RFC 6238 §1.2 for the others than SHA-1.
    public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
        /// HMAC-SHA-1, the default everywhere; as an HMAC it is not broken.
        case sha1 = "SHA1"
        /// HMAC-SHA-256.
        case sha256 = "SHA256"
        /// HMAC-SHA-512.
        case sha512 = "SHA512"
    }

    /// The secret that both sides know.
    public let secret: SharedSecret
    /// The hash function.
    public let algorithm: Algorithm
    /// The number of digits in a password.
    public let digits: OneTimePasswordDigits

    /// A generator of passwords.
    public init(secret: SharedSecret, algorithm: Algorithm = .sha1, digits: OneTimePasswordDigits = .six) {
        self.secret = secret
        self.algorithm = algorithm
        self.digits = digits
    }

    /// Computes the password of a counter.
    ///
    /// - Parameter counter: The moving factor, from 0.
    public func password(at counter: UInt64) -> OneTimePassword {
        let code = withUnsafeBytes(of: counter.bigEndian) { truncated(hmac(over: $0)) }
        let text = (code % digits.modulus).description
        return OneTimePassword(revealing: String(repeating: "0", count: digits.rawValue - text.count) + text)
    }

    private func hmac(over counter: UnsafeRawBufferPointer) -> [UInt8] {
        let key = SymmetricKey(data: secret.bytes)
        return switch algorithm {
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: counter, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: counter, using: key))
        }
    }

    /// Four bytes from the place that the last byte names, without the sign.
    ///
    /// Standard: RFC 4226 §5.3 (dynamic truncation); RFC 6238 §1.2 uses the last byte of longer hashes likewise.
    private func truncated(_ hash: [UInt8]) -> UInt32 {
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let code = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return code & 0x7FFF_FFFF
    }

    /// Returns the counter that has this password; the first of several. All are computed and compared in constant
    /// time.
    func counter(of password: OneTimePassword, in counters: some Sequence<UInt64>) -> UInt64? {
        var found: UInt64?
        for counter in counters {
            let isEqual = self.password(at: counter) == password
            if isEqual, found == nil { found = counter }
        }
        return found
    }
}
