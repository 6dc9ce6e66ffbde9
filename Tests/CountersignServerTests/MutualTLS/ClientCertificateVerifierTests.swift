import Countersign
import CountersignWire
import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import CountersignServer

/// An authority and the certificates that it issues.
private struct Authority {
    let key = P256.Signing.PrivateKey()
    let certificate: Certificate
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    init(_ name: String) throws {
        let subject = try DistinguishedName { CommonName(name) }
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Self.noon - 86_400,
            notValidAfter: Self.noon + 10 * 86_400,
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
    }

    /// A certificate of a client, in DER.
    func issue(for use: ExtendedKeyUsage.Usage = .clientAuth, lasting days: Double = 1) throws -> [UInt8] {
        let subject = try DistinguishedName {
            CountryName("DE")
            OrganizationName("Example, Inc.")
            CommonName("pay")
        }
        let issued = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(P256.Signing.PrivateKey().publicKey),
            notValidBefore: Self.noon - 3600,
            notValidAfter: Self.noon + days * 86_400,
            issuer: certificate.subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(try ExtendedKeyUsage([use]))
                SubjectAlternativeNames([
                    .dnsName("pay.example"), .uniformResourceIdentifier("spiffe://example/pay"),
                    .rfc822Name("pay@example.com"), .ipAddress(ASN1OctetString(contentBytes: [192, 0, 2, 1])),
                ])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return try Self.der(issued)
    }

    static func der(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    func verifier() throws -> ClientCertificateVerifier {
        let pem = try certificate.serializeAsPEM().pemString
        return try ClientCertificateVerifier(authorities: Data(pem.utf8), path: "ca.pem")
    }
}

/// Standard: RFC 8705 §2.
@Suite("A certificate that a client proved")
struct ClientCertificateVerifierTests {
    private let noon = Authority.noon

    private func presented(
        _ chain: [[UInt8]],
        to authority: Authority,
        after days: Double = 0
    ) async throws -> PresentedCertificate {
        try #require(await authority.verifier().verified(chain, at: noon + days * 86_400))
    }

    @Test(arguments: [
        CertificateName.subject("CN=pay,O=Example\\, Inc.,C=DE"), .dns("PAY.example"), .uri("spiffe://example/pay"),
        .email("pay@example.com"), .ip("192.0.2.1"),
    ])
    func `authenticates the client of its name`(name: CertificateName) async throws {
        let authority = try Authority("ours")
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
        let authority = try Authority("ours")
        let certificate = try await presented([authority.issue()], to: authority)
        #expect(!CertificateCredential.issued(name).isMet(by: certificate, at: noon))
    }

    @Test func `is trusted only in time, from a known authority, and for clients`() async throws {
        let ours = try Authority("ours")
        // Of the same name, with another key.
        let theirs = try Authority("ours")
        #expect(try await !presented([theirs.issue()], to: ours).isTrusted)
        #expect(try await !presented([theirs.issue(), Authority.der(theirs.certificate)], to: ours).isTrusted)
        #expect(try await !presented([ours.issue()], to: ours, after: 2).isTrusted)
        #expect(try await !presented([ours.issue()], to: ours, after: -1).isTrusted)
        #expect(try await !presented([ours.issue(lasting: 100)], to: ours, after: 20).isTrusted)
        #expect(try await !presented([ours.issue(for: .serverAuth)], to: ours).isTrusted)
    }

    @Test func `authenticates the client that registered it, whoever issued it`() async throws {
        let ours = try Authority("ours")
        let theirs = try Authority("theirs")
        let bytes = try theirs.issue()
        let certificate = try await presented([bytes], to: ours)
        let credential = CertificateCredential.registered([CertificateThumbprint(ofDER: bytes)])
        #expect(credential.isMet(by: certificate, at: noon))
        #expect(!credential.isMet(by: certificate, at: noon + 2 * 86_400))
        #expect(!credential.isMet(by: try await presented([theirs.issue()], to: ours), at: noon))
        #expect(!CertificateCredential.issued(.dns("pay.example")).isMet(by: certificate, at: noon))
    }

    @Test func `lets its holder use the tokens that are bound to it, and no others`() async throws {
        let authority = try Authority("ours")
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
        let authority = try Authority("ours")
        #expect(try await authority.verifier().verified([], at: noon) == nil)
        #expect(try await authority.verifier().verified([[1, 2, 3]], at: noon) == nil)
        let chain = Array(repeating: try authority.issue(), count: 9)
        #expect(try await authority.verifier().verified(chain, at: noon) == nil)
        #expect(throws: CertificateUnusable.self) {
            try ClientCertificateVerifier(authorities: Data("nonsense".utf8), path: "ca.pem")
        }
    }

    @Test func `is read from a key set that has certificates`() throws {
        let bytes = try Authority("ours").issue()
        let json = #"{"keys":[{"kty":"EC","x5c":["\#(Data(bytes).base64EncodedString())"]},{"kty":"EC"}]}"#
        let credential = try CertificateCredential(file: Data(json.utf8), path: "keys.json")
        #expect(credential == .registered([CertificateThumbprint(ofDER: bytes)]))
        #expect(throws: CertificateUnusable.self) {
            try CertificateCredential(file: Data(#"{"keys":[]}"#.utf8), path: "keys.json")
        }
    }
}
