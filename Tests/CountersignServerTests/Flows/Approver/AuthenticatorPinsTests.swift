import Countersign
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The signed list of certificates")
struct AuthenticatorPinsTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let certificate: [UInt8] = [0x30, 1, 2, 3]

    @Test func `is served as the operator signed it, and verified by the key in the app`() async throws {
        let key = try CertificatePinSigningKey(pem: P256.Signing.PrivateKey().pemRepresentation)
        let list = try key.list(of: [certificate], version: 7, until: now + 86_400)
        let pins = try SignedCertificatePins("  \(list)\n")
        try await TestServer.open(configuring: { $0.pins = pins }) { server in
            let answer = try await server.get("/authenticator/pins")
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/jwt")
            let read = try PinnedCertificates(answer.text, signedBy: key.publicKey, at: now)
            #expect(read.version == 7 && read.accepts(certificate, at: now) && !read.accepts([1], at: now))
        }
    }

    @Test func `is not there where the operator signed none`() async throws {
        try await TestServer.open { (server) async throws -> Void in
            #expect(try await server.get("/authenticator/pins").status == .notFound)
        }
    }

    @Test(arguments: ["", "a.b.c", #"eyJhbGciOiJFUzI1NiJ9.e30.AA"#])
    func `is no other text`(text: String) {
        #expect(throws: SignedCertificatePins.ParsingError.self) { try SignedCertificatePins(text) }
        #expect(throws: CertificatePinSigningKey.UnusableKeyError.self) { try CertificatePinSigningKey(pem: text) }
    }
}
