import Countersign
import CountersignStorage
import Foundation
import Testing

@Suite("The verification of an e-mail address")
struct EmailVerificationTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let address = EmailAddress("anna@example.org")
    private let code = SecretDigest(of: "12345678")
    private let other = SecretDigest(of: "87654321")

    private func sent() -> SentCode<EmailAddress> { SentCode(code, to: address, sent: Self.noon) }

    @Test(arguments: [0.0, 1799])
    func `takes the right code for half an hour`(after wait: Double) {
        var verification = sent()
        #expect(verification.answer(code, at: Self.noon + wait) == .right(address))
    }

    @Test func `takes no code afterwards`() {
        var verification = sent()
        #expect(verification.answer(code, at: Self.noon + 1800) == .notExpected)
        #expect(!verification.isLive(at: Self.noon + 1800))
    }

    @Test func `takes no code after five wrong ones`() {
        var verification = sent()
        for _ in 0..<5 { #expect(verification.answer(other, at: Self.noon) == .wrong) }
        #expect(verification.answer(code, at: Self.noon) == .notExpected)
    }
}

@Suite("The e-mail address of a person")
struct PersonEmailTests {
    private func person(_ email: String?, isVerified: Bool) -> Person {
        Person(
            subject: Subject("anna"), username: Username("anna"), name: "Anna", email: email,
            isEmailVerified: isVerified, password: nil, created: Date(timeIntervalSince1970: 0))
    }

    @Test func `is not verified because an earlier one was`() {
        var anna = person("anna@example.org", isVerified: true)
        anna.changeEmail(to: "other@example.org")
        #expect(anna.email == "other@example.org" && !anna.isEmailVerified && anna.verifiedEmail == nil)
    }

    @Test func `ends a verification that was begun when it is replaced, and not when it is set again`() {
        var anna = person("anna@example.org", isVerified: true)
        anna.emailVerification = SentCode(
            SecretDigest(of: "code"), to: EmailAddress("new@example.org"), sent: anna.created)
        anna.changeEmail(to: "anna@example.org")
        #expect(anna.emailVerification != nil)
        anna.changeEmail(to: "other@example.org")
        #expect(anna.emailVerification == nil)
    }

    @Test func `stays verified when it is set again`() {
        var anna = person("anna@example.org", isVerified: true)
        anna.changeEmail(to: "anna@example.org")
        #expect(anna.isEmailVerified && anna.verifiedEmail == EmailAddress("anna@example.org"))
    }

    @Test func `is not verified where there is none`() {
        #expect(!person(nil, isVerified: true).isEmailVerified)
        var anna = person("anna@example.org", isVerified: true)
        anna.changeEmail(to: nil, isVerified: true)
        #expect(!anna.isEmailVerified && anna.verifiedEmail == nil)
    }

    @Test func `gets no mail where it is no address`() {
        #expect(person("anna\r\nBcc: x@example.org", isVerified: true).verifiedEmail == nil)
    }
}
