import Countersign
import CountersignWire

extension Parser {
    /// One-time passwords, and what authenticators and browsers send of passkeys.
    static let secondFactors: [Parser] = [
        Parser(
            "base32",
            text: { text in
                guard let bytes = Base32.decode(text) else { return }
                let written = Base32.encode(bytes)
                expect(written.isPrintable && written.utf8.count % 8 == 0, "base32 is written padded")
                expect(Base32.decode(written) == bytes, "and read again as it is written")
            }),
        Parser(
            "otpauth-link",
            text: { text in
                guard let link = try? OneTimePasswordLink(parsing: text) else { return }
                expect(link.text.isPrintable, "a link is written in ASCII")
                guard link.text.utf8.count <= OneTimePasswordLink.longest else { return }
                expect((try? OneTimePasswordLink(parsing: link.text)) == link, "and read again as it is written")
                let digits = link.generator.hotp.digits.rawValue
                expect(link.generator.hotp.password(at: 0).revealed.utf8.count == digits, "and makes passwords")
            }),
        Parser(
            "typed-factor",
            text: { text in
                if let password = OneTimePassword(parsing: text) {
                    expect((6...8).contains(password.revealed.utf8.count), "a password has six to eight digits")
                    expect(OneTimePassword(parsing: password.grouped) == password, "and is read as it is shown")
                }
                if let code = RecoveryCode(parsing: text) {
                    expect(RecoveryCode(parsing: code.grouped) == code, "a recovery code is read as it is shown")
                }
            }),
        Parser(
            "cbor",
            bytes: { bytes in
                guard let (value, count) = try? CBORReader.prefix(of: bytes[...]) else { return }
                expect(value.encoded == Array(bytes[..<count]), "every value has one spelling")
            }),
        Parser(
            "client-data",
            bytes: { bytes in
                guard let data = try? CollectedClientData(parsing: bytes) else { return }
                expect(bytes.count >= data.origin.utf8.count + data.type.utf8.count, "nothing is made up")
            }),
        Parser(
            "attestation-object",
            bytes: { bytes in
                guard let object = try? AttestationObject(parsing: bytes) else { return }
                expect((1...32).contains(object.format.utf8.count), "a form has a name")
                examine(object.authenticatorData)
            }),
        Parser(
            "authenticator-data",
            bytes: { bytes in
                guard let data = try? AuthenticatorData(parsing: bytes) else { return }
                examine(data)
            }),
        Parser(
            "passkey-answer",
            bytes: { bytes in
                let party = RelyingParty(id: "example.org", origin: WebOrigin("https://example.org"))
                let challenge = CeremonyChallenge(revealing: "another than any")
                if let registration = try? UnverifiedRegistration(json: bytes) {
                    let user = UserHandle(rawValue: "YWRh")
                    let verified = try? registration.verified(for: party, answering: challenge, of: user)
                    expect(verified == nil, "no registration is accepted for another challenge")
                }
                if let assertion = try? UnverifiedAssertion(json: bytes) {
                    expect(
                        CredentialID(parsing: assertion.credential.rawValue) == assertion.credential, "a name is one")
                }
            }),
    ]

    private static func examine(_ data: AuthenticatorData) {
        expect(data.relyingPartyDigest.count == 32, "there is a digest")
        expect(data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp), "what is backed up may be")
        guard let credential = data.credential else { return }
        expect(CredentialID(parsing: credential.id.rawValue) == credential.id, "a credential has a name")
        expect((try? COSEKey(parsing: credential.key.bytes)) == credential.key, "a key is read again")
    }
}
