import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("Examples of second factors")
struct SecondFactorExamples {
    private let clock = ManualClock().source
    private let secret = SharedSecret(drawingFrom: .system)
    private let party = RelyingParty(id: "signin.example.com", origin: WebOrigin("https://signin.example.com"))
    private let challenge: CeremonyChallenge = CodeMint(drawingFrom: .system).secret()

    @Test func `passwords from a counter`() {
        let hotp = HOTP(secret: secret)
        let first = hotp.password(at: 0)

        let password = first
        var verifier = HOTPVerifier(HOTP(secret: secret))
        let verdict = verifier.verify(password)  // .accepted(at: 0); verifier.counter has moved on
        #expect(verdict == .accepted(at: 0) && verifier.counter == 1)
    }

    @Test func `passwords from the time`() {
        let totp = TOTP(HOTP(secret: secret))
        let shown = totp.password(at: clock.now())

        let password = shown
        var verifier = TOTPVerifier(TOTP(HOTP(secret: secret)))
        let verdict = verifier.verify(password, at: clock.now())
        #expect(verdict == .accepted(at: totp.timeStep(at: clock.now())))
    }

    @Test func `a link for an authenticator`() throws {
        let link = OneTimePasswordLink(.totp(TOTP(HOTP(secret: secret))), issuer: "Cinema", account: "ada")
        let text = link.text  // otpauth://totp/Cinema:ada?secret=…&issuer=Cinema&algorithm=SHA1&digits=6&period=30
        #expect(try OneTimePasswordLink(parsing: text) == link)
    }

    @Test func `recovery codes`() {
        let subject = Subject("ada")
        let (codes, kept) = RecoveryCodeSet.mint(for: subject, drawingFrom: .system)  // show codes once, store kept
        #expect(codes.count == kept.count)
    }

    @Test func `a passkey`() throws {
        let user = UserHandle(rawValue: "YWRh")
        let options = CredentialCreationOptions(
            for: party, named: "Example", user: .init(id: user, name: "ada", displayName: "Ada"), challenge: challenge,
            excluding: [])
        var authenticator = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
        let registration = authenticator.create(options, at: "https://signin.example.com")

        let added = try UnverifiedRegistration(json: registration.utf8).verified(
            for: party, answering: challenge, of: user)
        var known = [added.passkey.id: added.passkey]
        let answer = authenticator.get(
            CredentialRequestOptions(for: party, challenge: challenge), at: "https://signin.example.com")
        #expect(try signedIn(Array(answer.utf8), &known) == added.passkey.id)
    }

    private func signedIn(_ body: [UInt8], _ known: inout [CredentialID: Passkey]) throws -> CredentialID? {
        let unverified = try UnverifiedAssertion(json: body)
        guard let passkey = known[unverified.credential] else { return nil }
        switch try unverified.verified(by: passkey, for: party, answering: challenge) {
        case .accepted(let assertion): known[passkey.id] = assertion.passkey
        case .counterWentBack: return nil
        }
        return passkey.id
    }
}
