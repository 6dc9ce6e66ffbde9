import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Standard: RFC 6238.
@Suite("One-time passwords from the time")
struct TOTPTests {
    private let totp: TOTP
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        totp = TOTP(HOTP(secret: try #require(SharedSecret(bytes: RFC4226.secret))))
    }

    private func password(_ steps: Int) -> OneTimePassword {
        totp.password(at: noon + Double(steps * 30))
    }

    @Test func `are those of the standard`() throws {
        let secrets = [RFC6238.sha1, RFC6238.sha256, RFC6238.sha512]
        for (seconds, step, passwords) in RFC6238.rows {
            let now = Date(timeIntervalSince1970: Double(seconds))
            for (place, algorithm) in HOTP.Algorithm.allCases.enumerated() {
                let secret = try #require(SharedSecret(bytes: secrets[place]))
                let totp = TOTP(HOTP(secret: secret, algorithm: algorithm, digits: .eight))
                #expect(totp.timeStep(at: now) == step)
                #expect(totp.password(at: now).revealed == passwords[place])
            }
        }
    }

    @Test func `change with the step, from the instant that is said`() {
        let slow = TOTP(totp.hotp, period: 60, epoch: 1_800_000_000)
        #expect(slow.timeStep(at: noon + 59.9) == 0)
        #expect(slow.timeStep(at: noon + 60) == 1)
        #expect(slow.timeStep(at: noon - 1) == 0, "before the first step")
        #expect(slow.timeStep(at: .distantPast) == 0)
        #expect(TOTP(totp.hotp, period: 0).period == 1)
    }

    @Test func `are accepted once`() {
        var verifier = TOTPVerifier(totp)
        #expect(verifier.verify(password(0), at: noon) == .accepted(at: totp.timeStep(at: noon)))
        #expect(verifier.verify(password(0), at: noon + 1) == .alreadyUsed)
        #expect(verifier.verify(password(-1), at: noon + 2) == .alreadyUsed, "an earlier one as well")
        #expect(verifier.verify(password(1), at: noon + 30) == .accepted(at: totp.timeStep(at: noon) + 1))
    }

    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)])
    func `are accepted one step before and after`(step: Int, isAccepted: Bool) {
        var verifier = TOTPVerifier(totp)
        let verdict = verifier.verify(password(step), at: noon)
        #expect(verdict == (isAccepted ? .accepted(at: totp.timeStep(at: noon + Double(step * 30))) : .wrong))
        #expect(verifier.lastStep != nil || !isAccepted)
    }

    @Test func `follow a clock that drifts away`() {
        var verifier = TOTPVerifier(totp)
        for hour in 1...12 {
            let now = noon + Double(hour * 3600)
            let shown = totp.password(at: now + Double(hour * 30))
            #expect(verifier.verify(shown, at: now) != .wrong, "\(hour) steps ahead")
            #expect(verifier.drift == hour)
        }
        #expect(verifier.verify(totp.password(at: noon + 50_000), at: noon + 50_000) == .wrong, "it is followed alone")
        let restored = TOTPVerifier(totp, lastStep: verifier.lastStep, drift: verifier.drift)
        #expect(restored == verifier)
        #expect(TOTPVerifier(totp, drift: 900).drift == TOTPVerifier.largestDrift)
    }

    @Test func `find a clock that is far off, by two that follow one another`() {
        var verifier = TOTPVerifier(totp)
        #expect(verifier.verify(password(-9), at: noon) == .wrong)
        #expect(verifier.resynchronize(with: password(-8), then: password(-9), at: noon) == .wrong)
        #expect(verifier.resynchronize(with: password(-30), then: password(-29), at: noon) == .wrong)
        let step = totp.timeStep(at: noon)
        #expect(verifier.resynchronize(with: password(-9), then: password(-8), at: noon) == .accepted(at: step - 8))
        #expect(verifier.resynchronize(with: password(-9), then: password(-8), at: noon) == .alreadyUsed)
        #expect(verifier.verify(password(-7), at: noon + 30) == .accepted(at: step - 7))
        #expect(verifier.drift == -8)
    }
}
