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

    @Test func `has a code for one number, which is good for ten minutes and five tries`() throws {
        var registration = PhoneRegistration()
        #expect(!registration.hasLiveCode(for: try number(), at: noon))
        registration.send(code, to: try number(), at: noon)
        #expect(registration.hasLiveCode(for: try number(), at: noon + 599))
        #expect(!registration.hasLiveCode(for: try number(), at: noon + 600))
        #expect(!registration.hasLiveCode(for: try number("+31612345679"), at: noon))
        for _ in 0..<5 {
            #expect(registration.hasLiveCode(for: try number(), at: noon + 1))
            _ = registration.answer(other, at: noon + 1)
        }
        #expect(!registration.hasLiveCode(for: try number(), at: noon + 1))
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
