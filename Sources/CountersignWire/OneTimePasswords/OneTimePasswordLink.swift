/// The link that carries a shared secret to an authenticator, mostly as a QR code: `otpauth://totp/…`.
///
/// No RFC has it; it is the form that Google Authenticator introduced ("Key Uri Format") and that every authenticator
/// reads.
///
/// ```swift
/// let link = OneTimePasswordLink(.totp(TOTP(HOTP(secret: secret))), issuer: "Cinema", account: "ada")
/// let text = link.text        // otpauth://totp/Cinema:ada?secret=…&issuer=Cinema&algorithm=SHA1&digits=6&period=30
/// ```
public struct OneTimePasswordLink: Sendable, Equatable {
    /// The generator of the passwords, by its kind.
    public enum Generator: Sendable, Equatable {
        /// Passwords from the time.
        case totp(TOTP)
        /// Passwords from a counter, with its next value.
        case hotp(HOTP, counter: UInt64)

        /// The generator of a single password.
        public var hotp: HOTP {
            switch self {
            case .totp(let totp): totp.hotp
            case .hotp(let hotp, counter: _): hotp
            }
        }
    }

    /// The most bytes that a link may have.
    public static let longest = 2048

    /// The generator of the passwords.
    public let generator: Generator
    /// The service of the account; `nil` when the link names none.
    public let issuer: String?
    /// The account, as the service names it.
    public let account: String

    /// A link.
    public init(_ generator: Generator, issuer: String?, account: String) {
        self.generator = generator
        self.issuer = issuer.map(Self.withoutColons).flatMap { $0.isEmpty ? nil : $0 }
        self.account = Self.withoutColons(account)
    }

    /// Compared by scalars: a colon before a combining mark is a colon, too.
    static func withoutColons(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != ":" }))
    }

    /// The link as text. It holds the secret in the clear.
    public var text: String {
        let hotp = generator.hotp
        var label = Self.escaped(account)
        var query = "secret=\(hotp.secret.revealed)"
        if let issuer {
            label = "\(Self.escaped(issuer)):\(label)"
            query += "&issuer=\(Self.escaped(issuer))"
        }
        query += "&algorithm=\(hotp.algorithm.rawValue)&digits=\(hotp.digits.rawValue)"
        switch generator {
        case .totp(let totp): return "otpauth://totp/\(label)?\(query)&period=\(totp.period)"
        case .hotp(_, let counter): return "otpauth://hotp/\(label)?\(query)&counter=\(counter)"
        }
    }

    /// Every byte but the unreserved ones as a percent escape: many authenticators show a plus sign undecoded.
    ///
    /// Standard: RFC 3986 §2.1.
    private static func escaped(_ text: String) -> String { OAuth1Encoding.encode(text) }
}

/// Prints as redacted: the link holds the secret.
extension OneTimePasswordLink: Redacted {}
