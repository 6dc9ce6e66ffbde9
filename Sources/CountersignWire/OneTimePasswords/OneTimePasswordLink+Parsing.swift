extension OneTimePasswordLink {
    /// The reason that an authenticator cannot be set up from a text.
    public enum ParsingError: Error, Sendable, Hashable {
        /// It is longer than ``longest`` bytes.
        case tooLong
        /// It does not begin with `otpauth://`.
        case notALink
        /// The passwords are of another kind than `totp` and `hotp`.
        case unknownKind
        /// It names no account, or the account or issuer is empty or holds characters that are unsafe to show.
        case badLabel
        /// A percent escape is broken, or does not decode to UTF-8.
        case badEscape
        /// The named parameter is repeated.
        case repeated(String)
        /// The secret is missing.
        case noSecret
        /// The secret is no base32 of 10 to 128 bytes.
        case badSecret
        /// The algorithm is not SHA1, SHA256 or SHA512.
        case unknownAlgorithm
        /// The number of digits is not 6, 7 or 8.
        case badDigits
        /// The period is no number from 1 to 3,600.
        case badPeriod
        /// The counter is missing, or no number of 64 bits.
        case badCounter
        /// The issuer before the account is another one than the parameter.
        case issuersDiffer
    }

    /// Reads a link, such as a QR code holds it.
    ///
    /// Algorithm, digits and period may be omitted; parameters of other names are ignored. The issuer precedes the
    /// account, is in the parameter, or both.
    ///
    /// - Parameter text: The link.
    /// - Throws: ``ParsingError``, the first that is found.
    public init(parsing text: String) throws(ParsingError) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        let scheme = "otpauth://"
        guard text.prefix(scheme.count).lowercased() == scheme else { throw .notALink }
        let parts = text.utf8.dropFirst(scheme.utf8.count)
            .split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        let kind = String(decoding: path[0], as: UTF8.self).lowercased()
        guard kind == "totp" || kind == "hotp" else { throw .unknownKind }
        guard path.count == 2 else { throw .badLabel }
        let label = try Self.label(try Self.unescaped(path[1]))
        let query = try Self.parameters(parts.count == 2 ? parts[1] : "".utf8[...])

        let issuer = query["issuer"].flatMap { $0.isEmpty ? nil : $0 }
        guard issuer.map(Self.isShowable) ?? true else { throw .badLabel }
        if let issuer, let prefix = label.issuer, issuer != prefix { throw .issuersDiffer }
        let hotp = try Self.hotp(query)
        let generator: Generator =
            kind == "totp"
            ? .totp(TOTP(hotp, period: try Self.period(query))) : .hotp(hotp, counter: try Self.counter(query))
        self.init(generator, issuer: issuer ?? label.issuer, account: label.account)
    }

    private static func hotp(_ query: [String: String]) throws(ParsingError) -> HOTP {
        guard let secret = query["secret"] else { throw .noSecret }
        guard let secret = SharedSecret(parsingLinked: secret) else { throw .badSecret }
        guard let algorithm = HOTP.Algorithm(rawValue: (query["algorithm"] ?? "SHA1").uppercased()) else {
            throw .unknownAlgorithm
        }
        guard
            let digits = number(query["digits"] ?? "6").flatMap({ Int(exactly: $0) })
                .flatMap(OneTimePasswordDigits.init(rawValue:))
        else { throw .badDigits }
        return HOTP(secret: secret, algorithm: algorithm, digits: digits)
    }

    private static func period(_ query: [String: String]) throws(ParsingError) -> Int {
        guard let period = number(query["period"] ?? "30"), (1...3600).contains(period) else { throw .badPeriod }
        return Int(period)
    }

    private static func counter(_ query: [String: String]) throws(ParsingError) -> UInt64 {
        guard let counter = query["counter"].flatMap(number) else { throw .badCounter }
        return counter
    }

    /// A number in digits alone; `UInt64` itself would read a sign.
    private static func number(_ text: String) -> UInt64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt64(text)
    }

    /// `issuer:account` or `account`; spaces may follow the colon. Further colons are omitted.
    private static func label(_ label: String) throws(ParsingError) -> (issuer: String?, account: String) {
        // Compared by scalars: a colon before a combining mark is a colon, too.
        let parts = label.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = withoutColons(String(parts.count == 2 ? parts[1] : parts[0]))
        let account = String(rest.unicodeScalars.drop { $0 == " " })
        let issuer = parts.count == 2 ? String(parts[0]) : nil
        guard isShowable(account), issuer.map(isShowable) ?? true else { throw .badLabel }
        return (issuer, account)
    }

    private static func isShowable(_ text: String) -> Bool {
        !text.allSatisfy(\.isWhitespace) && !text.unicodeScalars.contains(where: \.isUnsafeToShow)
    }

    private static func parameters(_ query: Substring.UTF8View) throws(ParsingError) -> [String: String] {
        var values: [String: String] = [:]
        for pair in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try unescaped(sides[0]).lowercased()
            guard values[name] == nil else { throw .repeated(name) }
            values[name] = sides.count == 2 ? try unescaped(sides[1]) : ""
        }
        return values
    }

    /// The text without percent escapes; unescaped characters are accepted.
    private static func unescaped(_ text: Substring.UTF8View) throws(ParsingError) -> String {
        guard let decoded = Form.unescaped(text) else { throw .badEscape }
        let text = String(decoding: decoded, as: UTF8.self)
        guard text.utf8.elementsEqual(decoded) else { throw .badEscape }
        return text
    }
}
