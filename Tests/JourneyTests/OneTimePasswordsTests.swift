import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import TestShell
import Testing

/// Standard: RFC 4226, RFC 6238.
@Suite("One-time passwords", .timeLimit(.minutes(10)))
struct OneTimePasswordsTests {
    @Test func `are those of pyotp, both ways, over hundreds of random secrets`() async throws {
        let ended = try await PythonProgram(name: "passwords_with_pyotp").run(
            with: ["JOURNEY_COUNT": "300"],
            advancing: { _ in },
            answering: { line in
                if let asked = line.wholeMatch(of: /code (\d+) (.+)/), let moment = UInt64(asked.1) {
                    return Self.password(of: String(asked.2), at: moment)
                }
                return line.wholeMatch(of: /link (\d+)/).flatMap { Int($0.1) }.map(Self.link)
            }
        )
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.contains("600 passwords agree"))
    }

    @Test func `are the same as oathtool's`() throws {
        let random = SeededRandom(seed: 4226)
        for number in 0..<60 {
            let secret = try #require(SharedSecret(bytes: random.bytes(16 + number)))
            let digits = OneTimePasswordDigits.allCases[number % 3]
            let counter = random.next() >> 1
            let counted = HOTP(secret: secret, digits: digits)
            let hotp = try Shell.run(
                "oathtool", ["--hotp", "-b", "-d", "\(digits.rawValue)", "-c", "\(counter)", secret.revealed])
            #expect(hotp.trimmingCharacters(in: .whitespacesAndNewlines) == counted.password(at: counter).revealed)

            let algorithm = HOTP.Algorithm.allCases[number % 3]
            let seconds = Int(random.next() >> 32)
            let timed = TOTP(HOTP(secret: secret, algorithm: algorithm, digits: digits), period: 20 + number)
            let totp = try Shell.run(
                "oathtool",
                [
                    "--totp=\(algorithm.rawValue)", "-b", "-d", "\(digits.rawValue)", "-s", "\(timed.period)s",
                    "-N", "@\(seconds)", secret.revealed,
                ])
            #expect(
                totp.trimmingCharacters(in: .whitespacesAndNewlines)
                    == timed.password(at: Date(timeIntervalSince1970: Double(seconds))).revealed)
        }
    }

    /// The password of a link that pyotp wrote.
    private static func password(of link: String, at moment: UInt64) -> String {
        do {
            switch try OneTimePasswordLink(parsing: link).generator {
            case .totp(let totp): return totp.password(at: Date(timeIntervalSince1970: Double(moment))).revealed
            case .hotp(let hotp, let counter): return hotp.password(at: counter).revealed
            }
        } catch {
            return "\(error)"
        }
    }

    /// A moment, a link of ours, and the password of that moment.
    private static func link(_ number: Int) -> String {
        let random = SeededRandom(seed: UInt64(number))
        guard let secret = SharedSecret(bytes: random.bytes(20 + number % 40)) else { return "no secret" }
        let hotp = HOTP(
            secret: secret,
            algorithm: HOTP.Algorithm.allCases[number % 3],
            digits: OneTimePasswordDigits.allCases[number / 3 % 3]
        )
        let moment = random.next() >> 33
        let totp = TOTP(hotp, period: 15 + number % 100)
        let isTimed = number % 2 == 0
        let link = OneTimePasswordLink(
            isTimed ? .totp(totp) : .hotp(hotp, counter: moment),
            issuer: "Ciné \(number) & Co",
            account: "ada+\(number)@example.com"
        )
        let password =
            isTimed ? totp.password(at: Date(timeIntervalSince1970: Double(moment))) : hotp.password(at: moment)
        return "\(moment) \(link.text) \(password.revealed)"
    }
}
