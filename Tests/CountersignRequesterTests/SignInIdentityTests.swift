import Countersign
import CountersignTesting
import CountersignWire
import Crypto
import CryptoExtras
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

extension SignInTests {
    @Suite("that asks who it is")
    struct Identity {
        let server: ScriptedServer

        init() throws {
            server = try ScriptedServer()
        }

        @Test func `shows the person before it hands out or keeps anything`() async throws {
            let store = MemoryTokenStore()
            var claims = server.claims
            claims.evidence = EvidenceClaim(Evidence([.codeTyped, .network(.yes)]))
            answer(with: try server.idToken(claims))
            let signIn = server.signIn(for: ScriptedServer.openid, keepingTokensIn: store)
            let key = server.signInKey

            let signedIn = try await signIn.run { identity in
                #expect(identity.displayName == "Anna")
                #expect(identity.subject == Subject("anna-1"))
                #expect(await store.load(key) == nil)
                return .continue
            }
            #expect(signedIn.identity?.username == "anna")
            #expect(signedIn.identity?.evidence == claims.evidence)
            #expect(try await store.signedIn(for: key) == signedIn)
        }

        @Test func `gives both tokens back when the person says that it is somebody else`() async throws {
            let store = MemoryTokenStore()
            answer(with: try server.idToken(server.claims))
            let signIn = server.signIn(for: ScriptedServer.openid, keepingTokensIn: store)
            let (result, events) = await signIn.run(answering: .notMe)

            #expect(throws: SignInError(.notMe, because: "")) { try result.get() }
            #expect(server.revoked == ["refresh-1", "access-1"])
            #expect(server.transport.sent(to: "/revoke").allSatisfy { $0.form["client_id"] == "kitchen-radio" })
            #expect(await store.keys().isEmpty)
            #expect(events.contains { if case .confirming = $0 { true } else { false } })
        }

        @Test func `ends without an identity, and gives the tokens back`() async throws {
            answer(with: nil)
            let (result, _) = await server.signIn(for: ScriptedServer.openid).run()
            #expect(throws: SignInError(.identityMissing, because: "")) { try result.get() }
            #expect(server.revoked == ["refresh-1", "access-1"])
        }

        @Test(arguments: Change.all)
        func `refuses a token that`(_ change: Change) async throws {
            var claims = server.claims
            change.apply(&claims)
            try await expectRefusal(of: server.idToken(claims))
        }

        @Test(arguments: [
            #"{"alg":"none"}"#, #"{"alg":"none","kid":"a-key"}"#, #"{"alg":"HS256","kid":"a-key"}"#,
            #"{"alg":"ES384","kid":"a-key"}"#, #"{"alg":"RS256","kid":"a-key"}"#, #"{"kid":"a-key"}"#,
            #"{"alg":"ES256","kid":"another-key"}"#, #"{"alg":"ES256","kid":"a-key","crit":["b64"]}"#,
            #"{"alg":"ES256","kid":"a-key","crit":[]}"#, #"{"alg":"ES256","kid":"a-key","typ":"at+jwt"}"#, "[]", "",
        ])
        func `refuses a token with the header`(_ header: String) async throws {
            try await expectRefusal(of: server.idToken(server.claims, header: header))
        }

        @Test func `refuses a token that another key signed`() async throws {
            let stranger = P256.Signing.PrivateKey()
            let sign: ([UInt8]) throws -> [UInt8] = { Array(try stranger.signature(for: $0).rawRepresentation) }
            try await expectRefusal(of: server.idToken(server.claims, signedBy: sign))
        }

        @Test(arguments: [0, 63, 65])
        func `refuses a token whose signature has another length`(length: Int) async throws {
            let sign: ([UInt8]) throws -> [UInt8] = { _ in [UInt8](repeating: 1, count: length) }
            try await expectRefusal(of: server.idToken(server.claims, signedBy: sign))
        }

        @Test func `refuses a token that was changed after it was signed`() async throws {
            let parts = try server.idToken(server.claims).revealed.split(separator: ".")
            var claims = server.claims
            claims.subject = Subject("mallory")
            let payload = URLSafeText.encode(try JSONEncoder().encode(claims))
            try await expectRefusal(of: UnverifiedIDToken(revealing: "\(parts[0]).\(payload).\(parts[2])"))
        }

        @Test func `refuses a token by a key that is for encryption`() async throws {
            var key = server.publicKey
            key.use = "enc"
            server.transport.reply(at: "/jwks", with: .json(JSONWebKeySet(keys: [key])))
            try await expectRefusal(of: server.idToken(server.claims))
        }

        @Test func `takes a token without a key's name while there is only one key`() async throws {
            let token = try server.idToken(server.claims, header: #"{"alg":"ES256"}"#)
            answer(with: token)
            _ = try await server.signIn(for: ScriptedServer.openid).run().result.get()

            var second = server.publicKey
            second.keyID = JSONWebKey.ID("second")
            server.transport.reply(at: "/jwks", with: .json(JSONWebKeySet(keys: [server.publicKey, second])))
            try await expectRefusal(of: token)
        }

        @Test func `takes a token signed by RS256`() async throws {
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let numbers = try key.publicKey.getKeyPrimitives()
            let published = JSONWebKey.rsa(
                id: JSONWebKey.ID("rsa"), modulus: numbers.modulus, exponent: numbers.publicExponent)
            server.transport.reply(at: "/jwks", with: .json(JSONWebKeySet(keys: [server.publicKey, published])))
            let token = try server.idToken(server.claims, header: #"{"alg":"RS256","kid":"rsa"}"#) { bytes in
                Array(try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
            }
            answer(with: token)
            _ = try await server.signIn(for: ScriptedServer.openid).run().result.get()
        }

        @Test func `shows no name that plays tricks on a screen`() async throws {
            var claims = server.claims
            claims.name = "\u{1B}[2JAn\u{202E}na\n"
            answer(with: try server.idToken(claims))
            let signedIn = try await server.signIn(for: ScriptedServer.openid).run().result.get()
            #expect(signedIn.identity?.name == "[2JAnna")
        }

        private func answer(with token: UnverifiedIDToken?) {
            server.transport.reply(at: "/token", with: ScriptedServer.granted(token))
        }

        private func expectRefusal(of token: UnverifiedIDToken) async throws {
            answer(with: token)
            let before = server.revoked.count
            let (result, events) = await server.signIn(for: ScriptedServer.openid).run()
            #expect(throws: SignInError(.identityRefused, because: "")) { try result.get() }
            #expect(server.revoked.dropFirst(before) == ["refresh-1", "access-1"])
            #expect(!events.contains { if case .confirming = $0 { true } else { false } })
        }
    }

    /// One thing that makes a token's claims wrong.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout IDTokenClaims) -> Void

        static let all = [
            Change(testDescription: "is from another issuer") { $0.issuer = "https://id.example.org" },
            Change(testDescription: "is meant for another app") { $0.audience = Audience(["other"]) },
            Change(testDescription: "is meant for nobody") { $0.audience = Audience([]) },
            Change(testDescription: "has expired") { $0.expires = $0.issued - 120 },
            Change(testDescription: "is from the future") { $0.issued += 3_600 },
            Change(testDescription: "names nobody") { $0.subject = Subject("") },
            Change(testDescription: "names somebody at great length") {
                $0.subject = Subject(String(repeating: "a", count: 256))
            },
        ]
    }
}
