import Countersign
import CountersignWire
import Foundation
import Testing
import X509

@testable import CountersignHTTP
@testable import CountersignServer

/// Standard: RFC 8705 §2.
@Suite("A certificate that a client proved")
struct ClientCertificateVerifierTests {
    private let noon = TestAuthority.noon

    private func presented(
        _ chain: [[UInt8]],
        to authority: TestAuthority,
        after days: Double = 0
    ) async throws -> PresentedCertificate {
        try #require(await authority.verifier().verified(chain, at: noon + days * 86_400))
    }

    @Test(arguments: [
        CertificateName.subject("CN=pay,O=Example\\, Inc.,C=DE"), .dns("PAY.example"), .uri("spiffe://example/pay"),
        .email("pay@example.com"), .ip("192.0.2.1"),
    ])
    func `authenticates the client of its name`(name: CertificateName) async throws {
        let authority = try TestAuthority("ours")
        let certificate = try await presented([authority.issue()], to: authority)
        #expect(certificate.isTrusted)
        #expect(CertificateCredential.issued(name).isMet(by: certificate, at: noon))
        // A connection may outlive the certificate.
        #expect(!CertificateCredential.issued(name).isMet(by: certificate, at: noon + 2 * 86_400))
    }

    @Test(arguments: [
        CertificateName.subject("CN=pay"), .subject("C=DE,O=Example\\, Inc.,CN=pay"), .dns("example"),
        .dns("pay@example.com"),
        .uri("spiffe://example/pay/"), .email("PAY@example.com"), .ip("192.0.2.2"), .ip("::ffff:192.0.2.1"),
    ])
    func `authenticates no client of another name`(name: CertificateName) async throws {
        let authority = try TestAuthority("ours")
        let certificate = try await presented([authority.issue()], to: authority)
        #expect(!CertificateCredential.issued(name).isMet(by: certificate, at: noon))
    }

    @Test func `is trusted only in time, from a known authority, and for clients`() async throws {
        let ours = try TestAuthority("ours")
        // Of the same name, with another key.
        let theirs = try TestAuthority("ours")
        #expect(try await !presented([theirs.issue()], to: ours).isTrusted)
        #expect(try await !presented([theirs.issue(), TestAuthority.der(theirs.certificate)], to: ours).isTrusted)
        #expect(try await !presented([ours.issue()], to: ours, after: 2).isTrusted)
        #expect(try await !presented([ours.issue()], to: ours, after: -1).isTrusted)
        #expect(try await !presented([ours.issue(lasting: 100)], to: ours, after: 20).isTrusted)
        #expect(try await !presented([ours.issue(for: .serverAuth)], to: ours).isTrusted)
    }

    @Test func `authenticates the client that registered it, whoever issued it`() async throws {
        let ours = try TestAuthority("ours")
        let theirs = try TestAuthority("theirs")
        let bytes = try theirs.issue()
        let certificate = try await presented([bytes], to: ours)
        let credential = CertificateCredential.registered([CertificateThumbprint(ofDER: bytes)])
        #expect(credential.isMet(by: certificate, at: noon))
        #expect(!credential.isMet(by: certificate, at: noon + 2 * 86_400))
        #expect(!credential.isMet(by: try await presented([theirs.issue()], to: ours), at: noon))
        #expect(!CertificateCredential.issued(.dns("pay.example")).isMet(by: certificate, at: noon))
    }

    @Test func `lets its holder use the tokens that are bound to it, and no others`() async throws {
        let authority = try TestAuthority("ours")
        let certificate = try await presented([authority.issue()], to: authority)
        let bound = SenderKey.certificate(certificate.thumbprint)
        let other = SenderKey.certificate(CertificateThumbprint(ofDER: [1]))
        let token = AccessToken(revealing: "token")
        let presented = PresentedAccessToken(bearer: token, over: certificate)
        #expect(presented.proves(bound) && presented.proves(nil))
        #expect(!presented.proves(other) && !presented.proves(.proof(KeyThumbprint(certificate.thumbprint.rawValue))))
        #expect(!PresentedAccessToken(bearer: token).proves(bound))
    }

    @Test func `is none when it cannot be read`() async throws {
        let authority = try TestAuthority("ours")
        #expect(try await authority.verifier().verified([], at: noon) == nil)
        #expect(try await authority.verifier().verified([[1, 2, 3]], at: noon) == nil)
        let chain = Array(repeating: try authority.issue(), count: 9)
        #expect(try await authority.verifier().verified(chain, at: noon) == nil)
        #expect(throws: ServerCertificateError.self) {
            try ClientCertificateVerifier(authorities: Data("nonsense".utf8), path: "ca.pem")
        }
    }

    @Test func `is read from a key set that has certificates`() throws {
        let bytes = try TestAuthority("ours").issue()
        let json = #"{"keys":[{"kty":"EC","x5c":["\#(Data(bytes).base64EncodedString())"]},{"kty":"EC"}]}"#
        let credential = try CertificateCredential(file: Data(json.utf8), path: "keys.json")
        #expect(credential == .registered([CertificateThumbprint(ofDER: bytes)]))
        #expect(throws: ServerCertificateError.self) {
            try CertificateCredential(file: Data(#"{"keys":[]}"#.utf8), path: "keys.json")
        }
    }
}
