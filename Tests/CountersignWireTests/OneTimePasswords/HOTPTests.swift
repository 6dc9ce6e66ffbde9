import CountersignTesting
import CountersignWire
import Testing

/// Standard: RFC 4226.
@Suite("One-time passwords from a counter")
struct HOTPTests {
    private let hotp: HOTP

    init() throws {
        hotp = HOTP(secret: try #require(SharedSecret(bytes: RFC4226.secret)))
    }

    @Test func `are those of the standard`() {
        #expect((0..<10).map { hotp.password(at: $0).revealed } == RFC4226.passwords)
    }

    @Test(arguments: OneTimePasswordDigits.allCases)
    func `have as many digits as is said`(digits: OneTimePasswordDigits) {
        let longer = HOTP(secret: hotp.secret, digits: digits)
        for counter in [0, 1, 9, .max] as [UInt64] {
            let password = longer.password(at: counter).revealed
            #expect(password.count == digits.rawValue)
            #expect(password.hasSuffix(hotp.password(at: counter).revealed))
        }
    }

    @Test func `are accepted once, and those before them no more`() {
        var verifier = HOTPVerifier(hotp)
        #expect(verifier.verify(hotp.password(at: 0)) == .accepted(at: 0))
        #expect(verifier.verify(hotp.password(at: 0)) == .alreadyUsed)
        #expect(verifier.verify(hotp.password(at: 3)) == .accepted(at: 3))
        #expect(verifier.verify(hotp.password(at: 2)) == .alreadyUsed)
        #expect(verifier.counter == 4)
    }

    @Test func `are looked for as far ahead as is said`() {
        var verifier = HOTPVerifier(hotp, lookAhead: 5)
        #expect(verifier.verify(hotp.password(at: 6)) == .wrong)
        #expect(verifier.counter == 0)
        #expect(verifier.verify(hotp.password(at: 5)) == .accepted(at: 5))
    }

    @Test func `find a counter that ran far ahead, by two that follow one another`() {
        var verifier = HOTPVerifier(hotp)
        let (first, second) = (hotp.password(at: 700), hotp.password(at: 701))
        #expect(verifier.resynchronize(with: second, then: first) == .wrong)
        #expect(verifier.resynchronize(with: first, then: hotp.password(at: 702)) == .wrong)
        #expect(verifier.resynchronize(with: first, then: second, within: 600) == .wrong)
        #expect(verifier.counter == 0)
        #expect(verifier.resynchronize(with: first, then: second) == .accepted(at: 701))
        #expect(verifier.verify(hotp.password(at: 702)) == .accepted(at: 702))
        #expect(verifier.resynchronize(with: first, then: second) == .wrong, "they are past")
    }

    @Test func `end with the last counter`() {
        var verifier = HOTPVerifier(hotp, counter: .max - 1)
        #expect(verifier.verify(hotp.password(at: .max - 1)) == .accepted(at: .max - 1))
        #expect(verifier.verify(hotp.password(at: .max)) == .wrong, "the counter could not move on")
        #expect(verifier.resynchronize(with: hotp.password(at: .max - 1), then: hotp.password(at: .max)) == .wrong)
    }

    /// Six digits and a window of six: six chances in a million for each try.
    @Test func `are guessed no more often than the odds say`() {
        let random = SeededRandom(seed: 4226)
        var verifier = HOTPVerifier(hotp)
        var accepted = 0
        for _ in 0..<20_000 {
            let guess = random.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 1_000_000
            let text = String(String(guess + 1_000_000).dropFirst())
            if case .accepted = verifier.verify(OneTimePassword(revealing: text)) { accepted += 1 }
        }
        // 0.12 are expected; five or more come once in ten million runs.
        #expect(accepted < 5)
    }

    @Test(arguments: [
        ("123456", "123456"), (" 123 456", "123456"), ("12-34-56-78", "12345678"), ("1234567", "1234567"),
        ("123\u{A0}456", "123456"), ("123\u{2011}456\r\n", "123456"), ("١٢٣ ٤٥٦", "123456"),
        ("\u{200E}123456", "123456"),
        ("\u{2066}１２３４５６\u{2069}", "123456"),
    ])
    func `are read as they are typed`(typed: String, read: String) {
        #expect(OneTimePassword(parsing: typed)?.revealed == read)
    }

    @Test(arguments: [
        "", "12345", "123456789", "12345a", "١٢٣٤٥", "12345½", "+12345", "123.456", String(repeating: " ", count: 99),
    ])
    func `are not read out of other text`(typed: String) {
        #expect(OneTimePassword(parsing: typed) == nil)
    }

    @Test func `and their secrets are not printed`() {
        let password = hotp.password(at: 0)
        #expect(!"\(password) \(hotp) \(String(reflecting: hotp))".contains("755224"))
        var dumped = ""
        dump(hotp, to: &dumped)
        #expect(!dumped.contains("49") && !dumped.contains("GEZDGNBV"), "neither bytes nor base32")
        #expect(password.grouped == "755 224")
    }

    @Test func `need a secret of 128 bits`() {
        #expect(SharedSecret(bytes: [UInt8](repeating: 1, count: 15)) == nil)
        #expect(SharedSecret(bytes: [UInt8](repeating: 1, count: 16)) != nil)
        #expect(SharedSecret(bytes: [UInt8](repeating: 1, count: 129)) == nil)
        #expect(SharedSecret(parsing: "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ") == hotp.secret)
        #expect(SharedSecret(parsing: "GEZDGNBV") == nil)
        #expect(SharedSecret(drawingFrom: SeededRandom(seed: 1).source).revealed.count == 32)
    }
}
