import Countersign
import Foundation
import Testing

@testable import CountersignWire

/// Standard: Web Authentication Level 3 §16.
@Suite("Web Authentication's own examples")
struct WebAuthnVectorTests {
    private let user = UserHandle(rawValue: "YWRh")

    private func party(_ vector: WebAuthnVector) -> RelyingParty {
        RelyingParty(
            id: "example.org",
            origin: WebOrigin("https://example.org"),
            embedding: vector.testDescription.hasSuffix("topOrigin")
                ? .within([WebOrigin("https://example.com")]) : .refused
        )
    }

    private func challenge(_ hex: String) -> CeremonyChallenge {
        CeremonyChallenge(revealing: URLSafeText.encode([UInt8](hex: hex)))
    }

    private func registered(_ vector: WebAuthnVector) throws -> VerifiedRegistration {
        let object = try AttestationObject(parsing: [UInt8](hex: vector.attestationObject))
        let id = try #require(object.authenticatorData.credential?.id)
        let registration = try UnverifiedRegistration(
            json: browserJSON(
                id,
                [
                    "clientDataJSON": [UInt8](hex: vector.registrationClientData),
                    "attestationObject": [UInt8](hex: vector.attestationObject),
                ]
            ).utf8)
        return try registration.verified(
            for: party(vector),
            answering: challenge(vector.registrationChallenge),
            of: user,
            userVerification: .preferred,
            acceptingUnreadAttestation: true
        )
    }

    private func assertion(_ vector: WebAuthnVector, of id: CredentialID, signature: [UInt8]) throws
        -> UnverifiedAssertion
    {
        try UnverifiedAssertion(
            json: browserJSON(
                id,
                [
                    "clientDataJSON": [UInt8](hex: vector.clientData),
                    "authenticatorData": [UInt8](hex: vector.authenticatorData),
                    "signature": signature,
                ]
            ).utf8)
    }

    @Test(arguments: WebAuthnVector.all)
    func `are registered and signed in`(vector: WebAuthnVector) throws {
        let registered = try registered(vector)
        let expected: Attestation =
            switch vector.testDescription {
            case "packed-self.ES256", "packed-self.Ed25519": .selfSigned
            case "packed.RS256": .notRead(format: "packed")
            default: .none
            }
        #expect(registered.attestation == expected)
        let algorithm: COSEAlgorithm =
            switch vector.testDescription {
            case "packed.RS256": .rs256
            case "packed-self.Ed25519": .edDSA
            default: .es256
            }
        #expect(registered.passkey.key.algorithm == algorithm)
        let outcome = try assertion(vector, of: registered.passkey.id, signature: [UInt8](hex: vector.signature))
            .verified(
                by: registered.passkey, for: party(vector), answering: challenge(vector.challenge),
                userVerification: .preferred)
        guard case .accepted(let accepted) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            accepted.isUserVerified == ["none.ES256.topOrigin", "packed-self.Ed25519"].contains(vector.testDescription))
        #expect(accepted.passkey.isBackupEligible == registered.passkey.isBackupEligible)
    }

    @Test(arguments: WebAuthnVector.all)
    func `are refused with any bit of the signature changed`(vector: WebAuthnVector) throws {
        let registered = try registered(vector)
        let signature = [UInt8](hex: vector.signature)
        for bit in stride(from: 0, to: signature.count * 8, by: 11) {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PasskeyError(.signature, because: "")) {
                _ = try assertion(vector, of: registered.passkey.id, signature: changed).verified(
                    by: registered.passkey, for: party(vector), answering: challenge(vector.challenge),
                    userVerification: .preferred)
            }
        }
    }

    @Test func `are refused in a frame of a site that is not named`() throws {
        let vector = WebAuthnVector.topOrigin
        let registered = try registered(vector)
        let assertion = try assertion(vector, of: registered.passkey.id, signature: [UInt8](hex: vector.signature))
        for embedding in [RelyingParty.Embedding.refused, .within([WebOrigin("https://example.net")])] {
            let party = RelyingParty(id: "example.org", origin: WebOrigin("https://example.org"), embedding: embedding)
            #expect(throws: PasskeyError(.wrongOrigin, because: "")) {
                _ = try assertion.verified(by: registered.passkey, for: party, answering: challenge(vector.challenge))
            }
        }
    }

    @Test func `are refused where their attestation is not read`() throws {
        let vector = WebAuthnVector.packedCertified
        let object = try AttestationObject(parsing: [UInt8](hex: vector.attestationObject))
        let credential = try #require(object.authenticatorData.credential)
        #expect(throws: PasskeyError(.attestation, because: "")) {
            _ = try object.attestation(of: credential, clientDataDigest: [], acceptingOthers: false)
        }
    }
}

/// The JSON that a browser makes of a credential.
func browserJSON(_ id: CredentialID, _ response: [String: [UInt8]]) -> String {
    let members = response.map { #""\#($0.key)":"\#(URLSafeText.encode($0.value))""# }.joined(separator: ",")
    return #"{"id":"\#(id)","rawId":"\#(id)","type":"public-key","clientExtensionResults":{},"response":{\#(members)}}"#
}
