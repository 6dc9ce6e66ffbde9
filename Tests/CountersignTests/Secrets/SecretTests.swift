import Testing

@testable import Countersign

@Suite("A secret")
struct SecretTests {
    private static let text = "SlAV32hkKG8xbaSMsx-a-secret-that-nobody-prints"
    private static let secrets: [any Secret] = [
        DeviceCode(revealing: text), AccessToken(revealing: text), RefreshToken(revealing: text),
        ClientSecret(revealing: text), Password(revealing: text),
    ]

    @Test func `is told apart from others by its kind`() {
        #expect(String(describing: AccessToken(revealing: Self.text)) == "AccessToken(redacted)")
        #expect(String(reflecting: DeviceCode(revealing: Self.text)) == "DeviceCode(redacted)")
    }

    @Test(arguments: secrets.indices)
    func `prints as redacted, however it is printed`(index: Int) {
        let secret = Self.secrets[index]
        var dumped = ""
        dump(secret, to: &dumped)
        var printed = ""
        print(secret, [secret], terminator: "", to: &printed)
        let ways = [
            secret.description, secret.debugDescription, String(describing: secret), String(reflecting: secret),
            "\(secret)", dumped, printed, secret.customMirror.description,
        ]
        for way in ways {
            #expect(!way.contains(Self.text))
            #expect(!way.contains("SlAV32"))
        }
        #expect(secret.description.hasSuffix("(redacted)"))
    }

    @Test func `prints as redacted inside of other values`() {
        struct Holder {
            let token: AccessToken
            let maybe: RefreshToken?
            let all: [String: [Password]]
        }
        let password = Password(revealing: Self.text)
        let holder = Holder(
            token: AccessToken(revealing: Self.text),
            maybe: RefreshToken(revealing: Self.text),
            all: ["one": [password]]
        )
        var dumped = ""
        dump(holder, to: &dumped)
        for way in [
            "\(holder)", String(reflecting: holder), dumped, "\(Optional(password) as Any)", "\((1, password))",
        ] {
            #expect(way.contains("redacted"))
            #expect(!way.contains("SlAV32"))
        }
    }

    @Test(arguments: secrets.indices)
    func `shows nothing in a mirror`(index: Int) {
        #expect(Mirror(reflecting: Self.secrets[index]).children.isEmpty)
    }

    @Test func `equals another by its content`() {
        #expect(AccessToken(revealing: "one") == AccessToken(revealing: "one"))
        #expect(AccessToken(revealing: "one") != AccessToken(revealing: "other"))
        #expect(AccessToken(revealing: "one") != AccessToken(revealing: "one "))
        #expect(AccessToken(revealing: "") != AccessToken(revealing: "\0"))
    }

    // Strings of Swift are equal when they look the same; secrets are compared byte for byte, by their digests.
    @Test func `differs from one that is spelled with other bytes`() {
        let composed = Password(revealing: "caf\u{E9}")
        let decomposed = Password(revealing: "cafe\u{301}")
        #expect(composed.revealed == decomposed.revealed)
        #expect(composed != decomposed)
        #expect([composed] != [decomposed])
    }

    @Test(arguments: secrets.indices)
    func `cannot be encoded or decoded by accident`(index: Int) {
        let secret: any Sendable = Self.secrets[index]
        #expect(!(secret is any Encodable))
        #expect(!(secret is any Decodable))
        #expect(!(secret is any Hashable))
    }

    @Test func `is revealed to whoever asks for it by that name`() {
        #expect(AccessToken(revealing: Self.text).revealed == Self.text)
        #expect(AccessToken(revealing: Self.text).digest == SecretDigest(of: Self.text))
    }
}
