import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("A forged decision made nearby")
struct NearbyForgeryTests {
    @Test(arguments: [61, -300_000_000_000 - 1_800_000_000, .min])
    func `by a pairing at an impossible time is refused although its signature is right`(distance: Int) async throws {
        try await TestServer.open { server in
            let phone = try await server.phone()
            let screen = try await server.screenNearby()
            let shown = try await phone.shown(screen)
            var claims = phone.claims(on: shown, over: screen.link)
            claims.nearby.proof = .paired(at: distance == .min ? .min : claims.issued + distance)
            let answer = try await phone.send(claims)
            #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            #expect(try await server.exchange(of: screen)?.state == .open)
            // The nonce is not lost by it.
            #expect(try await phone.send(phone.claims(on: shown, over: screen.link)).status == .ok)
        }
    }
}
