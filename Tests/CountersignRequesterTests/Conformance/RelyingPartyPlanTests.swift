import Countersign
import CountersignTesting
import CountersignWire
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

/// The modules of the OpenID Foundation's plans for relying parties, as far as they say something about this library:
/// the basic plan, the plan for discovery, and what the FAPI 2.0 plan for clients adds.
///
/// Modules about `userinfo` are for apps that call it; the library takes the person from the ID token alone.
@Suite("The OpenID Foundation's relying party plans")
struct RelyingPartyPlanTests {
    @Test func `oidcc-client-test: a code is redeemed, and the ID token is verified`() async throws {
        let signedIn = try await Run().signedIn()
        #expect(signedIn.identity?.subject == Subject("anna-1"))
    }

    @Test(arguments: [
        ("oidcc-client-test-client-secret-basic", ["client_secret_basic"]),
        ("oidcc-client-test-client-secret-post", ["client_secret_post"]),
    ])
    func `authenticates by the method that is offered`(module: String, methods: [String]) async throws {
        let run = try Run(secret: ClientSecret(revealing: "a-secret")) {
            $0.tokenEndpointAuthMethodsSupported = methods
        }
        _ = try await run.signedIn()
        let sent = try #require(run.app.server.transport.sent(to: "/token").last)
        let inHeader = sent.request.headerFields[.authorization]?.hasPrefix("Basic ") ?? false
        #expect(inHeader == (methods == ["client_secret_basic"]), "\(module)")
        #expect(inHeader == (sent.form["client_secret"] == nil), "\(module)")
    }

    /// A fault in an ID token, by the module that sends it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout [String: Any]) -> Void

        init(_ module: String, _ change: @escaping @Sendable (inout [String: Any]) -> Void) {
            (testDescription, self.change) = (module, change)
        }
    }

    @Test(arguments: [
        Fault("oidcc-client-test-nonce-invalid") { $0["nonce"] = "another" },
        Fault("oidcc-client-test-missing-nonce") { $0["nonce"] = nil },
        Fault("oidcc-client-test-invalid-iss") { $0["iss"] = "https://id.example.com/1" },
        Fault("oidcc-client-test-missing-iss") { $0["iss"] = nil },
        Fault("oidcc-client-test-invalid-aud") { $0["aud"] = "another" },
        Fault("oidcc-client-test-missing-aud") { $0["aud"] = nil },
        Fault("oidcc-client-test-missing-sub") { $0["sub"] = nil },
        Fault("oidcc-client-test-missing-iat") { $0["iat"] = nil },
        Fault("oidcc-client-test-missing-exp") { $0["exp"] = nil },
        Fault("fapi2-client-test-expired-id-token") { $0["exp"] = 1 },
    ])
    func `refuses the ID token of`(module: Fault) async throws {
        try await Run().isRefused(because: .identityRefused, changing: module.change)
    }

    @Test func `oidcc-client-test-idtoken-sig-none: refuses a token that nobody signed`() async throws {
        try await Run().isRefused(because: .identityRefused, header: #"{"alg":"none"}"#) { _ in [] }
    }

    @Test func `oidcc-client-test-invalid-sig-rs256: refuses a token that another key signed`() async throws {
        let keys = try Self.rsaKeys(named: "rsa-1", count: 2)
        let run = try Run()
        run.publish([keys[0].published])
        try await run.isRefused(
            because: .identityRefused,
            header: #"{"alg":"RS256","kid":"rsa-1"}"#,
            signedBy: { try keys[1].sign($0) }
        )
    }

    @Test func `oidcc-client-test-idtoken-sig-rs256: takes a token by RS256`() async throws {
        let key = try #require(try Self.rsaKeys(named: "rsa-1", count: 1).first)
        let run = try Run()
        run.publish([key.published])
        let signedIn = try await run.signedIn(header: #"{"alg":"RS256","kid":"rsa-1"}"#) { try key.sign($0) }
        #expect(signedIn.identity != nil)
    }

    @Test func `oidcc-client-test-kid-absent-single-jwks: takes a token without a key's name`() async throws {
        #expect(try await Run().signedIn(header: #"{"alg":"ES256"}"#).identity != nil)
    }

    @Test func `oidcc-client-test-kid-absent-multiple-jwks: refuses it when there are several keys`() async throws {
        let run = try Run()
        let second = P256.Signing.PrivateKey().publicKey.rawRepresentation
        run.publish([
            run.app.server.publicKey,
            .p256(id: JSONWebKey.ID("another"), x: second.prefix(32), y: second.suffix(32)),
        ])
        try await run.isRefused(because: .identityRefused, header: #"{"alg":"ES256"}"#)
    }

    @Test func `oidcc-client-test-signing-key-rotation: asks for the keys at each sign-in`() async throws {
        let run = try Run()
        _ = try await run.signedIn()
        let key = try #require(try Self.rsaKeys(named: "new", count: 1).first)
        run.publish([key.published])
        #expect(try await run.signedIn(header: #"{"alg":"RS256","kid":"new"}"#) { try key.sign($0) }.identity != nil)
    }

    @Test func `oidcc-client-test-discovery-issuer-mismatch: goes no further`() async throws {
        let run = try Run { $0.issuer = "https://other.example.com" }
        await #expect(throws: SignInError(.issuerMismatch, because: "")) { try await run.app.signIn.start() }
        #expect(run.app.opener.opened.isEmpty)
    }

    @Test(arguments: [
        ("fapi2-client-test-invalid-authorization-response-iss", "&iss=https%3A%2F%2Fother.example.com"),
        ("fapi2-client-test-remove-authorization-response-iss", ""),
    ])
    func `refuses an answer that does not name the server`(module: String, iss: String) async throws {
        let run = try Run { $0.authorizationResponseIssParameterSupported = true }
        let sent = try await run.app.started()
        let answer = try await run.app.signIn.finish(with: run.app.address("code=A\(iss)", state: sent["state"]))
        guard case .rejected(let fault) = answer else {
            Issue.record("\(module): \(answer)")
            return
        }
        #expect(fault == (iss.isEmpty ? .issuerMissing : .otherIssuer))
        #expect(run.app.redeemed.isEmpty)
    }

    @Test(arguments: ["another", nil])
    func `fapi2-client-test-invalid-state: an answer to no request has no effect`(state: String?) async throws {
        let run = try Run()
        _ = try await run.app.started()
        let answer = try await run.app.signIn.finish(with: run.app.address("code=A", state: state))
        guard case .unasked = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(run.app.redeemed.isEmpty)
    }

    @Test func `fapi2-client-test-token-type-case-insensitivity`() async throws {
        let run = try Run()
        for type in ["bearer", "BEARER"] {
            #expect(try await run.signedIn(type: type).key == nil)
        }
        let bound = try Run { $0.dpopSigningAlgValuesSupported = ["ES256"] }
        for type in ["dpop", "DPOP"] {
            #expect(try await bound.signedIn(type: type).key != nil)
        }
    }
}

extension RelyingPartyPlanTests {
    private struct RSAKey: Sendable {
        let key: _RSA.Signing.PrivateKey
        let published: JSONWebKey

        func sign(_ bytes: [UInt8]) throws -> [UInt8] {
            Array(try key.signature(for: Data(bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }

    private static func rsaKeys(named name: String, count: Int) throws -> [RSAKey] {
        try (0..<count).map { _ in
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let numbers = try key.publicKey.getKeyPrimitives()
            return RSAKey(
                key: key,
                published: .rsa(
                    id: JSONWebKey.ID(name),
                    modulus: Array(numbers.modulus),
                    exponent: Array(numbers.publicExponent)
                )
            )
        }
    }

    /// One sign-in of an app at a provider whose ID tokens are made by a test.
    private struct Run {
        let app: AppUnderTest

        init(
            secret: ClientSecret? = nil,
            _ change: (inout AuthorizationServerMetadata) -> Void = { _ in }
        ) throws {
            app = try AppUnderTest(secret: secret, change)
        }

        func publish(_ keys: [JSONWebKey]) {
            app.server.transport.reply(at: "/jwks", with: .json(JSONWebKeySet(keys: keys)))
        }

        /// Signs in with an ID token whose claims were changed.
        func outcome(
            type: String = "Bearer",
            header: String = #"{"alg":"ES256","kid":"a-key","typ":"JWT"}"#,
            signedBy sign: (([UInt8]) throws -> [UInt8])? = nil,
            changing change: (inout [String: Any]) -> Void = { _ in }
        ) async throws -> AuthorizationAnswer<CodeCompletion> {
            let sent = try await app.started()
            var claims = app.server.claims
            claims.nonce = sent["nonce"]
            let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(claims))
            var members = try #require(encoded as? [String: Any])
            change(&members)
            let server = app.server
            let token = try CompactJWS.text(
                header: Array(header.utf8),
                payload: Array(try JSONSerialization.data(withJSONObject: members)),
                signedBy: sign ?? { Array(try server.key.signature(for: $0).rawRepresentation) }
            )
            server.transport.reply(
                at: "/token",
                with: .json(
                    TokenResponse(
                        accessToken: AccessToken(revealing: "access-1"),
                        tokenType: type,
                        expiresIn: 300,
                        idToken: UnverifiedIDToken(revealing: token)
                    )
                )
            )
            return try await app.signIn.finish(with: app.address("code=A", state: sent["state"]))
        }

        func signedIn(
            type: String = "Bearer",
            header: String = #"{"alg":"ES256","kid":"a-key","typ":"JWT"}"#,
            signedBy sign: (([UInt8]) throws -> [UInt8])? = nil
        ) async throws -> CompletedSignIn {
            guard case .granted(.signedIn(let signedIn)) = try await outcome(type: type, header: header, signedBy: sign)
            else { throw NotSignedIn() }
            return signedIn
        }

        struct NotSignedIn: Error {}

        /// The tokens are refused and given back.
        func isRefused(
            because code: SignInError.Code,
            header: String = #"{"alg":"ES256","kid":"a-key","typ":"JWT"}"#,
            signedBy sign: (([UInt8]) throws -> [UInt8])? = nil,
            changing change: (inout [String: Any]) -> Void = { _ in },
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            guard
                case .granted(.failed(let error, _)) = try await outcome(
                    header: header, signedBy: sign, changing: change)
            else {
                Issue.record("It was taken.", sourceLocation: sourceLocation)
                return
            }
            #expect(error.code == code, sourceLocation: sourceLocation)
            #expect(app.server.revoked.contains("access-1"), sourceLocation: sourceLocation)
        }
    }
}
