import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A held request of a screen that shows numbers")
struct ShownNumberTests {
    private let elsewhere = TestScreenByLink.elsewhere

    @Test func `is answered as soon as there is a number, and the next may follow at once`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            async let held = server.poll(screen.codes, prefer: "wait=30, verification-number")
            await server.clock.sleepers(1)
            _ = try await screen.open(anna, at: elsewhere)
            let told = try await held
            #expect(told.error == .authorizationPending)
            #expect(told.headers[.preferenceApplied] == "wait=30")
            let number = try #require(try told.json(OAuthErrorResponse.self).verificationNumber)

            async let next = server.poll(screen.codes, prefer: "wait=30, verification-number=\(number)")
            await server.clock.sleepers(1)
            _ = try await screen.answer("approve", anna, number: number.rawValue, at: elsewhere)
            #expect(try await next.status == .ok)
        }
    }

    @Test func `is not held while the screen shows another number`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: elsewhere)
            for preference in ["verification-number", "verification-number=xx", "verification-number=123"] {
                let answer = try await screen.poll("wait=30, \(preference)")
                #expect(answer.error == .authorizationPending)
                #expect(try answer.json(OAuthErrorResponse.self).verificationNumber != nil)
            }
        }
    }

    @Test func `tells a client that says nothing of numbers, when its wait is over`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: elsewhere)
            async let held = server.poll(screen.codes, prefer: "wait=20")
            await server.clock.sleepers(1)
            server.clock.advance(by: .seconds(20))
            #expect(try await held.json(OAuthErrorResponse.self).verificationNumber != nil)
        }
    }
}
