import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 7517 §4, §5; RFC 7518 §6.
@Suite("The published keys", .server)
struct KeysEndpointTests {
    let server = TestServer.current

    @Test func `are one of each kind, named and for signatures`() async throws {
        let answer = try await server.get("/jwks")
        let keys = try answer.json(JSONWebKeySet.self).keys

        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "public, max-age=300")
        #expect(Set(keys.map(\.keyType)) == ["EC", "RSA"])
        #expect(Set(keys.compactMap(\.algorithm)) == ["ES256", "RS256"])
        #expect(keys.allSatisfy { $0.use == "sig" })
        #expect(Set(keys.compactMap(\.keyID)).count == 2)
    }

    @Test func `hold nothing private`() async throws {
        let text = try await server.get("/jwks").body
        let document = try JSONSerialization.jsonObject(with: Data(text.readableBytesView)) as? [String: Any]
        let keys = try #require(document?["keys"] as? [[String: Any]])
        for key in keys {
            let expected: Set<String> =
                key["kty"] as? String == "EC"
                ? ["kty", "use", "alg", "kid", "crv", "x", "y"] : ["kty", "use", "alg", "kid", "n", "e"]
            #expect(Set(key.keys) == expected)
        }
    }

    @Test func `write numbers as unpadded base64url, coordinates with 32 bytes`() async throws {
        for key in try await server.keys() {
            for number in [key.x, key.y, key.modulus, key.exponent].compactMap({ $0 }) {
                #expect(!number.contains { "+/=".contains($0) })
            }
            if key.keyType == "EC" {
                #expect(key.curve == "P-256")
                #expect(key.x.flatMap(URLSafeText.decode)?.count == 32)
                #expect(key.y.flatMap(URLSafeText.decode)?.count == 32)
            } else {
                let modulus = try #require(key.modulus.flatMap(URLSafeText.decode))
                #expect(modulus.count == 256 && modulus.first != 0)
                #expect(key.exponent == "AQAB")
            }
        }
    }

    @Test(arguments: 0..<8)
    func `keep a coordinate's leading zeros`(zeros: Int) {
        let key = JSONWebKey.p256(
            id: JSONWebKey.ID("k"),
            x: [UInt8](repeating: 0, count: zeros) + [UInt8](repeating: 7, count: 32 - zeros),
            y: [UInt8](repeating: 1, count: 32)
        )
        #expect(key.x?.count == 43)
    }

    @Test(arguments: [TestClients.radio, .kiosk])
    func `verify the tokens of the server, and no changed one`(client: TestClients) async throws {
        let token = try await server.signedIn(client).accessToken.revealed
        _ = try await server.read(token)

        let jws = try #require(CompactJWS(token))
        let forged = CompactJWS.text(header: jws.headerBytes, payload: Array(#"{"sub":"eve"}"#.utf8)) { _ in
            jws.signature
        }
        let changed = try #require(CompactJWS(forged))
        let keys = try await server.keys()
        #expect(!keys.isEmpty)
        for key in keys {
            #expect((try? key.verifies(changed)) != true)
        }
    }

    @Test func `are the same whichever process is asked`() async throws {
        let keys = try await server.keys()
        let other = try await server.maintenance().keys.current().published(at: server.clock.date)
        #expect(other.keys == keys)
    }
}
