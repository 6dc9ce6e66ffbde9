import Countersign
import CountersignSQLite
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The pinned certificates of the older dialect")
struct LegacyPinTests {
    private struct Content: Decodable {
        let hash: String
        let algorithm: String
        let spki_hash: String
    }

    @Test func `are signed, with the digests of the server's certificate and of its key`() async throws {
        let files = FileManager.default.temporaryDirectory.appending(component: "pins-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        let made = CertificateFiles(directory: files)
        try made.make("one", hosts: ["localhost"])
        try made.run("openssl genrsa -traditional -out pins.pem 2048 || openssl genrsa -out pins.pem 2048")
        try made.run("openssl rsa -in pins.pem -pubout -out public.pem")
        try made.run("openssl x509 -in one.pem -outform der | sha256sum | cut -d' ' -f1 >certificate.txt")
        // As OkHttp's documentation says that a pin is made.
        try made.run(
            """
            openssl x509 -in one.pem -pubkey -noout | openssl pkey -pubin -outform der \
            | openssl dgst -sha256 -binary | openssl enc -base64 >key.txt
            """)
        let certificate = try made.open("one")
        let key = try LegacyCertificatePinKey(pem: try made.text("pins.pem"))
        try await TestServer.open(configuring: { settings in
            settings.certificate = certificate
            settings.legacyAuthenticator = LegacyAuthenticator(pinKey: key)
        }) { server in
            let answer = try await server.get("/authenticator/v1.0/certificate")
            #expect(answer.status == .ok)
            let pins = try answer.json([LegacyPin].self)
            #expect(pins.count == 1)
            let data = try #require(Base64.decode(pins[0].data[...]))
            let content = try JSONDecoder().decode(Content.self, from: Data(data))
            #expect(content.algorithm == "sha256")
            #expect(try content.hash == made.text("certificate.txt").prefix(64))
            #expect(try content.spki_hash == made.text("key.txt").prefix(44))
            // As the SDK verifies it, by the program of others.
            try Data(data).write(to: files.appending(component: "data"))
            try Data(try #require(Base64.decode(pins[0].signature[...]))).write(
                to: files.appending(component: "signature"))
            try made.run("openssl dgst -sha256 -verify public.pem -signature signature data")
        }
    }

    @Test func `are none without a key to sign them, and none without a certificate`() async throws {
        try await TestServer.open(configuring: { $0.legacyAuthenticator = LegacyAuthenticator() }) {
            (server) async throws -> Void in
            #expect(try await server.get("/authenticator/v1.0/certificate").text == "[]")
        }
    }

    @Test(arguments: ["", "nonsense"])
    func `need a private RSA key`(pem: String) {
        #expect(throws: LegacyCertificatePinKey.UnusableKeyError.self) { try LegacyCertificatePinKey(pem: pem) }
    }
}
