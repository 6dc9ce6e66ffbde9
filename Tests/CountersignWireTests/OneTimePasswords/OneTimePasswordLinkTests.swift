import CountersignTesting
import CountersignWire
import Testing

/// Standard: none; the "Key Uri Format" of Google Authenticator.
@Suite("An otpauth link")
struct OneTimePasswordLinkTests {
    private let secret: SharedSecret

    init() throws {
        secret = try #require(SharedSecret(parsing: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
    }

    private func problem(_ text: String) -> OneTimePasswordLink.ParsingError? {
        do throws(OneTimePasswordLink.ParsingError) {
            _ = try OneTimePasswordLink(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `is written with everything that authenticators read`() {
        let link = OneTimePasswordLink(
            .totp(TOTP(HOTP(secret: secret))), issuer: "Ciné & Co", account: "ada@example.com")
        #expect(
            link.text == "otpauth://totp/Cin%C3%A9%20%26%20Co:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Cin%C3%A9%20%26%20Co&algorithm=SHA1&digits=6&period=30")
        let counted = HOTP(secret: secret, algorithm: .sha512, digits: .eight)
        #expect(
            OneTimePasswordLink(.hotp(counted, counter: 7), issuer: nil, account: "ada").text
                == "otpauth://hotp/ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA512&digits=8&counter=7")
        #expect(OneTimePasswordLink(.totp(TOTP(counted)), issuer: "a:b", account: "c").issuer == "ab")
        #expect(!"\(link) \(String(reflecting: link))".contains("GEZD"))
    }

    @Test func `is read again as it is written`() throws {
        let random = SeededRandom(seed: 6238)
        for number in 0..<500 {
            let hotp = HOTP(
                secret: try #require(SharedSecret(bytes: random.bytes(16 + number % 113))),
                algorithm: HOTP.Algorithm.allCases[number % 3],
                digits: OneTimePasswordDigits.allCases[number % 3]
            )
            let name =
                "x"
                + random.text(upTo: 20).unicodeScalars.filter { $0.properties.isAlphabetic || $0 == ":" }
                .map(String.init).joined()
            let link = OneTimePasswordLink(
                number % 2 == 0 ? .totp(TOTP(hotp, period: 1 + number)) : .hotp(hotp, counter: random.next()),
                issuer: "y\(name)",
                account: "\(name) & %?#/"
            )
            #expect(try OneTimePasswordLink(parsing: link.text) == link)
        }
    }

    @Test(arguments: [nil, "Cinema"])
    func `has no colon in its account, which would make a part of it the issuer`(issuer: String?) throws {
        for account in ["a:b", ":ab", "ab:", "a::b", "a:\u{301}b"] {
            let link = OneTimePasswordLink(.totp(TOTP(HOTP(secret: secret))), issuer: issuer, account: account)
            #expect(!link.account.unicodeScalars.contains(":"))
            let read = try OneTimePasswordLink(parsing: link.text)
            #expect(read == link && read.issuer == issuer)
        }
        let query = "secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        let read = try OneTimePasswordLink(parsing: "otpauth://totp/a:%20:%20b:c?\(query)")
        #expect(read.issuer == "a" && read.account == "bc")
        #expect(try OneTimePasswordLink(parsing: read.text) == read)
        #expect(problem("otpauth://totp/a::?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ") == .badLabel)
    }

    /// The example of the format.
    @Test func `may have a shorter secret than one that is made here`() throws {
        let text = "otpauth://totp/Example:alice@google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        let link = try OneTimePasswordLink(parsing: text)
        #expect(link.issuer == "Example" && link.account == "alice@google.com")
        #expect(link.generator.hotp.secret.revealed == "JBSWY3DPEHPK3PXP")
        #expect(try OneTimePasswordLink(parsing: link.text) == link)
        #expect(SharedSecret(parsing: "JBSWY3DPEHPK3PXP") == nil)
        #expect(problem("otpauth://totp/a?secret=JBSWY3DPEHPK3PA") == .badSecret)
    }

    @Test func `is read as others write it`() throws {
        let secret = "secret=gezdgnbvgy3tqojqgezdgnbvgy3tqojq"
        let sparse = try OneTimePasswordLink(
            parsing: "OTPAUTH://TOTP/Example:%20alice@google.com?\(secret)&image=x%20y")
        #expect(sparse.issuer == "Example" && sparse.account == "alice@google.com")
        #expect(sparse.generator == .totp(TOTP(HOTP(secret: self.secret))))
        let escaped = try OneTimePasswordLink(
            parsing: "otpauth://totp/Big%3Aalice?\(secret)&issuer=Big&digits=8&period=60")
        #expect(escaped.issuer == "Big" && escaped.account == "alice" && escaped.generator.hotp.digits == .eight)
        #expect(try OneTimePasswordLink(parsing: "otpauth://totp/alice?\(secret)&issuer=Big").issuer == "Big")
        #expect(try OneTimePasswordLink(parsing: "otpauth://totp/alice?\(secret)&issuer=").issuer == nil)
    }

    @Test(arguments: [
        ("https://example.com", OneTimePasswordLink.ParsingError.notALink), ("", .notALink),
        ("otpauth://steam/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .unknownKind),
        ("otpauth://totp?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badLabel),
        ("otpauth://totp/?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badLabel),
        ("otpauth://totp/:a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badLabel),
        ("otpauth://totp/a:%20?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badLabel),
        ("otpauth://totp/a%E2%80%AEb?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badLabel),
        ("otpauth://totp/a%2?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badEscape),
        ("otpauth://totp/a%FF?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badEscape),
        ("otpauth://totp/a?issuer=b", .noSecret), ("otpauth://totp/a", .noSecret),
        ("otpauth://totp/a?secret=GEZD", .badSecret), ("otpauth://totp/a?secret=", .badSecret),
        ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1", .badSecret),
        ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&Secret=A", .repeated("secret")),
        ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=MD5", .unknownAlgorithm),
        ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=5", .badDigits),
        ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=+6", .badDigits),
        ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=0", .badPeriod),
        ("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=99999999999999999999", .badPeriod),
        ("otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", .badCounter),
        ("otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=-1", .badCounter),
        ("otpauth://totp/a:b?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=c", .issuersDiffer),
    ])
    func `is refused with the reason`(text: String, reason: OneTimePasswordLink.ParsingError) {
        #expect(problem(text) == reason)
    }

    @Test func `has an end`() {
        #expect(problem("otpauth://totp/a?secret=GEZDGNBV&x=" + String(repeating: "y", count: 2048)) == .tooLong)
    }
}
