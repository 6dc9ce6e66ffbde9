import Countersign
import CountersignTesting
import Foundation
import Testing

@testable import CountersignWire

/// Standard: Web Authentication Level 3 §7.
@Suite("A passkey")
struct PasskeyTests {
    private let party = RelyingParty(id: "example.org", origin: WebOrigin("https://login.example.org"))
    private let challenge = CeremonyChallenge(revealing: "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k")
    private let ada = UserHandle(rawValue: "YWRh")
    private static let origin = "https://login.example.org"
    private var authenticator = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 7).source)

    private var creation: CredentialCreationOptions {
        CredentialCreationOptions(
            for: party, named: "Example", user: .init(id: ada, name: "ada", displayName: "Ada"), challenge: challenge,
            excluding: [])
    }

    private var request: CredentialRequestOptions { CredentialRequestOptions(for: party, challenge: challenge) }

    private mutating func registered() throws -> Passkey {
        try UnverifiedRegistration(json: authenticator.create(creation, at: Self.origin).utf8)
            .verified(for: party, answering: challenge, of: ada).passkey
    }

    private func code(_ body: () throws -> Void) -> PasskeyError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PasskeyError)?.code
        }
    }

    @Test mutating func `is made, and signs`() throws {
        let passkey = try registered()
        #expect(passkey.id == authenticator.id && passkey.userHandle == ada && !passkey.isBackupEligible)
        let unverified = try UnverifiedAssertion(json: authenticator.get(request, at: Self.origin).utf8)
        #expect(
            unverified.credential == passkey.id && unverified.userHandle == ada && unverified.challenge == challenge)
        guard case .accepted(let accepted) = try unverified.verified(by: passkey, for: party, answering: challenge)
        else {
            Issue.record("not accepted")
            return
        }
        #expect(accepted.isUserVerified && accepted.passkey == passkey)
    }

    @Test mutating func `is not made for another challenge, origin, party or without the person`() throws {
        let json = authenticator.create(creation, at: Self.origin)
        let other = CeremonyChallenge(revealing: "other")
        #expect(
            code { _ = try UnverifiedRegistration(json: json.utf8).verified(for: party, answering: other, of: ada) }
                == .wrongChallenge)
        for origin in [
            "https://example.org", "http://login.example.org", "https://login.example.org:8443",
            "https://LOGIN.example.org",
            "https://login.example.org/", "https://login.example.org.evil.test", "null",
        ] {
            let foreign = authenticator.create(creation, at: origin)
            #expect(
                code {
                    _ = try UnverifiedRegistration(json: foreign.utf8).verified(
                        for: party, answering: challenge, of: ada)
                }
                    == .wrongOrigin, "\(origin)")
        }
        let elsewhere = RelyingParty(id: "example.com", origin: party.origin)
        #expect(
            code {
                _ = try UnverifiedRegistration(json: json.utf8).verified(for: elsewhere, answering: challenge, of: ada)
            }
                == .wrongRelyingParty)
        authenticator.flags = [.userPresent]
        let unverified = authenticator.create(creation, at: Self.origin)
        #expect(
            code {
                _ = try UnverifiedRegistration(json: unverified.utf8).verified(
                    for: party, answering: challenge, of: ada)
            }
                == .userNotVerified)
        authenticator.flags = [.userVerified]
        let absent = authenticator.create(creation, at: Self.origin)
        #expect(
            code {
                _ = try UnverifiedRegistration(json: absent.utf8).verified(
                    for: party, answering: challenge, of: ada, userVerification: .discouraged)
            } == .userAbsent)
        let signed = authenticator.get(request, at: Self.origin)
        #expect(code { _ = try UnverifiedRegistration(json: signed.utf8) } == .malformed)
    }

    @Test mutating func `signs for one page, challenge and person`() throws {
        let passkey = try registered()
        var other = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 8).source)
        let answers = [
            (authenticator.get(request, at: "https://evil.test"), PasskeyError.Code.wrongOrigin),
            (other.get(request, at: Self.origin), .wrongCredential),
        ]
        for (json, expected) in answers {
            #expect(
                code {
                    _ = try UnverifiedAssertion(json: json.utf8).verified(by: passkey, for: party, answering: challenge)
                }
                    == expected)
        }
        let json = authenticator.get(request, at: Self.origin)
        #expect(
            code {
                _ = try UnverifiedAssertion(json: json.utf8).verified(
                    by: passkey, for: party, answering: CeremonyChallenge(revealing: "another"))
            } == .wrongChallenge)
        let eve = Passkey(
            id: passkey.id, key: passkey.key, userHandle: UserHandle(rawValue: "ZXZl"), isBackupEligible: false,
            counter: 0,
            isBackedUp: false, transports: [])
        #expect(
            code { _ = try UnverifiedAssertion(json: json.utf8).verified(by: eve, for: party, answering: challenge) }
                == .wrongCredential)
        authenticator.flags = [.userPresent, .userVerified, .backupEligible]
        let eligible = authenticator.get(request, at: Self.origin)
        #expect(
            code {
                _ = try UnverifiedAssertion(json: eligible.utf8).verified(by: passkey, for: party, answering: challenge)
            }
                == .backupState)
        let registration = authenticator.create(creation, at: Self.origin)
        #expect(code { _ = try UnverifiedAssertion(json: registration.utf8) } == .malformed)
    }

    @Test(arguments: [
        (0, 0, true), (0, 1, true), (5, 6, true), (5, 900, true), (5, 5, false), (5, 4, false), (5, 0, false),
        (UInt32.max, 0, false),
    ])
    mutating func `raises the alarm when its counter does not rise`(known: UInt32, seen: UInt32, isAccepted: Bool)
        throws
    {
        var passkey = try registered()
        passkey.counter = known
        authenticator.counter = seen == 0 ? nil : seen - 1
        let outcome = try UnverifiedAssertion(json: authenticator.get(request, at: Self.origin).utf8)
            .verified(by: passkey, for: party, answering: challenge)
        switch outcome {
        case .accepted(let accepted):
            #expect(isAccepted && accepted.passkey.counter == seen)
        case .counterWentBack(let from, let to):
            #expect(!isAccepted && from == known && to == seen)
        }
    }

    private static let counters: [(UInt32, UInt32, UInt32?)] = [
        (5, 6, nil), (5, 5, 5), (5, 0, 5), (0, 0, nil), (.max, 1, .max),
    ]

    @Test(arguments: counters)
    mutating func `that may be synchronised signs with a lower counter, and says so`(
        known: UInt32, seen: UInt32, earlier: UInt32?
    ) throws {
        authenticator.flags = [.userPresent, .userVerified, .backupEligible]
        var passkey = try registered()
        passkey.counter = known
        authenticator.counter = seen == 0 ? nil : seen - 1
        let outcome = try UnverifiedAssertion(json: authenticator.get(request, at: Self.origin).utf8)
            .verified(by: passkey, for: party, answering: challenge)
        guard case .accepted(let accepted) = outcome else {
            Issue.record("not accepted")
            return
        }
        #expect(accepted.earlierCounter == earlier && accepted.passkey.counter == seen)
    }

    @Test mutating func `is made and signs in an Android app of the operator, and in no other`() throws {
        let hash = "pNiP5iKyQ8JwgGOaKA1zGPUPJIS-0H1xKCQcfIoGLck"
        let app = try #require(AndroidAppOrigin(parsing: "android:apk-key-hash:\(hash)"))
        let party = RelyingParty(id: "example.org", origin: party.origin, apps: [app])
        let json = authenticator.create(creation, at: app.rawValue)
        let passkey = try UnverifiedRegistration(json: json.utf8)
            .verified(for: party, answering: challenge, of: ada).passkey
        let signed = authenticator.get(request, at: app.rawValue)
        #expect(
            code {
                _ = try UnverifiedAssertion(json: signed.utf8).verified(by: passkey, for: party, answering: challenge)
            } == nil)
        #expect(
            code {
                _ = try UnverifiedAssertion(json: signed.utf8)
                    .verified(by: passkey, for: self.party, answering: challenge)
            } == .wrongOrigin, "no app is named")
        for origin in [
            "android:apk-key-hash:qNiP5iKyQ8JwgGOaKA1zGPUPJIS-0H1xKCQcfIoGLck", "\(app)=",
            "android:apk-key-hash:\(hash.lowercased())", "ANDROID:apk-key-hash:\(hash)",
        ] {
            let other = authenticator.get(request, at: origin)
            #expect(
                code {
                    _ = try UnverifiedAssertion(json: other.utf8)
                        .verified(by: passkey, for: party, answering: challenge)
                } == .wrongOrigin, "\(origin)")
        }
        for odd in ["", hash, "android:apk-key-hash:", "android:apk-key-hash:AQ", "android:apk-key-hash:\(hash)="] {
            #expect(AndroidAppOrigin(parsing: odd) == nil, "\(odd)")
        }
    }

    @Test mutating func `is refused with any bit changed`() throws {
        let passkey = try registered()
        let random = SeededRandom(seed: 20)
        let bytes = Array(authenticator.get(request, at: Self.origin).utf8)
        var accepted = 0
        for _ in 0..<3000 {
            var changed = bytes
            changed[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
            guard let unverified = try? UnverifiedAssertion(json: changed),
                let outcome = try? unverified.verified(by: passkey, for: party, answering: challenge)
            else { continue }
            // Unsigned parts may change: the members that are not read, and the case of their escapes.
            accepted += 1
            guard case .accepted(let assertion) = outcome else { continue }
            #expect(assertion.passkey == passkey)
        }
        #expect(0 < accepted && accepted < 600)
    }

    @Test func `is asked for as browsers read it`() throws {
        let creation = try creation.json()
        #expect(
            creation
                == #"{"attestation":"none","authenticatorSelection":{"requireResidentKey":true,"residentKey":"required","#
                + #""userVerification":"required"},"challenge":"q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k","#
                + #""excludeCredentials":[],"pubKeyCredParams":[{"alg":-7,"type":"public-key"},"#
                + #"{"alg":-8,"type":"public-key"},{"alg":-257,"type":"public-key"}],"#
                + #""rp":{"id":"example.org","name":"Example"},"timeout":300000,"#
                + #""user":{"displayName":"Ada","id":"YWRh","name":"ada"}}"#)
        let allowed = CredentialRequestOptions(
            for: party, challenge: challenge, allowing: [CredentialDescriptor(CredentialID("AQ"), transports: ["usb"])])
        #expect(
            try allowed.json()
                == #"{"allowCredentials":[{"id":"AQ","transports":["usb"],"type":"public-key"}],"#
                + #""challenge":"q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k","rpId":"example.org","timeout":300000,"#
                + #""userVerification":"required"}"#)
        #expect(try CredentialCreationOptions(json: creation) == self.creation)
    }
}
