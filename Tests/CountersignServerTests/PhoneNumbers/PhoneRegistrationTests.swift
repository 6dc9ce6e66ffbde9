import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The registration of a telephone number")
struct PhoneRegistrationTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let code = SecretDigest(of: "123456")
    private let other = SecretDigest(of: "654321")

    private func number(_ digits: String = "+31612345678") throws -> PhoneNumber { try PhoneNumber(digits) }

    @Test func `takes the code that was sent`() throws {
        var registration = PhoneRegistration()
        registration.send(code, to: try number(), at: noon)
        #expect(registration.answer(code, at: noon + 599) == .right(try number()))
        registration.verify(try number())
        #expect(registration.provedNumber == (try number()))
        #expect(registration.answer(code, at: noon + 1) == .notExpected)
    }

    @Test func `takes no code after ten minutes, where none was sent, or after five wrong ones`() throws {
        var registration = PhoneRegistration()
        #expect(registration.answer(code, at: noon) == .notExpected)
        registration.send(code, to: try number(), at: noon)
        #expect(registration.answer(code, at: noon + 600) == .notExpected)
        for _ in 0..<5 { #expect(registration.answer(other, at: noon + 1) == .wrong) }
        #expect(registration.answer(other, at: noon + 1) == .notExpected)
        #expect(registration.answer(code, at: noon + 1) == .notExpected)
    }

    @Test func `waits twice as long for each further code, an hour at most, and begins anew after a day`() throws {
        var registration = PhoneRegistration()
        var now = noon
        for wait in [30.0, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            #expect(registration.permission(to: try number(), at: now) == .send)
            registration.send(code, to: try number(), at: now)
            #expect(
                registration.permission(to: try number("+31612345679"), at: now + wait - 1) == .wait(until: now + wait))
            now += wait
        }
        now += 86_400
        registration.send(code, to: try number(), at: now)
        #expect(registration.permission(to: try number(), at: now + 30) == .send)
    }

    @Test func `sends nothing anew while the code for the same number is good`() throws {
        var registration = PhoneRegistration()
        registration.send(code, to: try number(), at: noon)
        #expect(registration.permission(to: try number(), at: noon + 29) == .alreadySent)
        for _ in 0..<5 { _ = registration.answer(other, at: noon + 1) }
        #expect(registration.permission(to: try number(), at: noon + 29) == .wait(until: noon + 30))
    }

    @Test func `keeps the number that was proved while another is being proved`() throws {
        let second = try number("+31612345679")
        var registration = PhoneRegistration(.verified(try number()))
        registration.send(code, to: second, at: noon)
        #expect(registration.provedNumber == (try number()))
        #expect(registration.namedNumber == second)
        registration.wait(for: second, until: noon + 86_400)
        #expect(registration.provedNumber == nil)
        registration.end()
        #expect(registration.state == .unverified)
    }
}
