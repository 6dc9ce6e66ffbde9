import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

/// Standard: Web Authentication Level 3 §7.
@Suite("Passkeys", .timeLimit(.minutes(10)))
struct PasskeysTests {
    private static let party = RelyingParty(id: "example.org", origin: WebOrigin("https://login.example.org"))
    private static let user = UserHandle(rawValue: "YWRh")

    @Test func `are those of python-fido2, both ways, over many random authenticators`() async throws {
        let registered = NIOLockedValueBox<Passkey?>(nil)
        let authenticator = NIOLockedValueBox(SoftwareAuthenticator(drawingFrom: .system))
        let ended = try await PythonProgram(name: "passkeys_with_fido2").run(
            with: ["JOURNEY_COUNT": "60"],
            advancing: { _ in },
            answering: { line in
                let words = line.split(separator: " ", maxSplits: 2).map(String.init)
                switch (words.first, words.count) {
                case ("register", 3), ("try", 3):
                    return Self.register(words[2], answering: words[1]) { passkey in
                        if words[0] == "register" { registered.withLockedValue { $0 = passkey } }
                    }
                case ("sign", 3):
                    return registered.withLockedValue { Self.sign(words[2], answering: words[1], by: &$0) }
                case ("create", 2):
                    return authenticator.withLockedValue { Self.create(UInt64(words[1]) ?? 0, with: &$0) }
                case ("get", 2): return authenticator.withLockedValue { Self.get(with: &$0) }
                default: return nil
                }
            }
        )
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.contains("60 authenticators agree, 540 changed messages were refused"))
    }

    private static func register(_ json: String, answering challenge: String, keep: (Passkey) -> Void) -> String {
        do throws(PasskeyError) {
            let verified = try UnverifiedRegistration(json: json.utf8)
                .verified(for: party, answering: CeremonyChallenge(revealing: challenge), of: user)
            keep(verified.passkey)
            let passkey = verified.passkey
            return "registered \(passkey.key.algorithm.rawValue) \(verified.attestation) \(passkey.counter)"
        } catch {
            return "refused \(error.code)"
        }
    }

    private static func sign(_ json: String, answering challenge: String, by passkey: inout Passkey?) -> String {
        guard let known = passkey else { return "none is registered" }
        do throws(PasskeyError) {
            let outcome = try UnverifiedAssertion(json: json.utf8)
                .verified(by: known, for: party, answering: CeremonyChallenge(revealing: challenge))
            switch outcome {
            case .accepted(let assertion):
                passkey = assertion.passkey
                return "accepted \(assertion.passkey.counter)"
            case .counterWentBack: return "counter went back"
            }
        } catch {
            return "refused \(error.code)"
        }
    }

    /// The challenge, our options, and the answer of our software authenticator.
    private static func create(_ seed: UInt64, with authenticator: inout SoftwareAuthenticator) -> String {
        let random = SeededRandom(seed: seed).source
        authenticator = SoftwareAuthenticator(drawingFrom: random)
        authenticator.counter = seed % 2 == 0 ? nil : UInt32(seed)
        let challenge: CeremonyChallenge = CodeMint(drawingFrom: random).secret()
        let options = CredentialCreationOptions(
            for: party, named: "Example", user: .init(id: user, name: "ada", displayName: "Ada"), challenge: challenge,
            excluding: [CredentialDescriptor(CredentialID("AQID"), transports: ["usb"])])
        let answer = authenticator.create(options, at: party.origin.rawValue)
        return "\(challenge.revealed) \(json(options)) \(answer)"
    }

    private static func get(with authenticator: inout SoftwareAuthenticator) -> String {
        let challenge: CeremonyChallenge = CodeMint(drawingFrom: .system).secret()
        let options = CredentialRequestOptions(
            for: party, challenge: challenge, allowing: [CredentialDescriptor(authenticator.id)])
        return "\(challenge.revealed) \(json(options)) \(authenticator.get(options, at: party.origin.rawValue))"
    }

    private static func json(_ value: some Encodable) -> String {
        // Without spaces, which part the words of a line.
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "no JSON"
    }
}
