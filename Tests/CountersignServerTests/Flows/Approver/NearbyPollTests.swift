import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("A poll of a screen that asked nearby", .server)
struct NearbyPollTests {
    let server = TestServer.current

    @Test func `without its link waits, and with it gets the tokens once`() async throws {
        let screen = try await server.screenNearby()
        try await server.phone().decide(.approve, screen)
        #expect(try await screen.poll().error == .authorizationPending)
        server.clock.advance(by: .seconds(5))
        #expect(try await screen.poll(over: TestServer.link(1), screen.link, TestServer.link(2)).status == .ok)
        server.clock.advance(by: .seconds(10))
        #expect(try await screen.poll(over: screen.link).error == .invalidGrant)
    }

    @Test func `over other links only closes the request, which is written down`() async throws {
        let screen = try await server.screenNearby()
        try await server.phone().decide(.approve, screen)
        #expect(try await screen.poll(over: TestServer.link(1), TestServer.link(2)).error == .accessDenied)
        // It stays closed, for the right one too.
        #expect(try await screen.poll(over: screen.link).error == .accessDenied)
        let audited = try await server.audited(.otherLink)
        #expect(audited.count == 1)
        #expect(audited[0].subject == TestPerson.anna.subject && audited[0].client == TestClients.tv.id)
        #expect(audited[0].detail?.contains(TestServer.link(1).description) == true)
    }

    @Test func `over other links says nothing before there is a decision`() async throws {
        let screen = try await server.screenNearby()
        #expect(try await screen.poll(over: TestServer.link(1)).error == .authorizationPending)
        try await server.phone().decide(.approve, screen)
        server.clock.advance(by: .seconds(5))
        #expect(try await screen.poll(over: screen.link).status == .ok)
    }

    @Test func `may name links although somebody approved at a browser`() async throws {
        let screen = try await server.screenNearby()
        try await server.browser(of: .anna).decide("approve", screen.codes)
        #expect(try await screen.poll(over: TestServer.link(1)).status == .ok)
    }

    @Test func `may name eight links, not nine, none twice, and no nonsense`() async throws {
        let screen = try await server.screenNearby()
        try await server.phone().decide(.approve, screen)
        let others = (10..<17).map { TestServer.link($0) }
        let names = others.map(\.description) + [screen.link.description]
        let nine = names + [TestServer.link(20).description]
        for wrong in [
            nine.joined(separator: " "), "\(names[0]) \(names[0])", "x", " ", "\(names[0])  \(names[1])",
            "\(names[0]) ", names.joined(separator: ","), String(names[0].dropLast()),
        ] {
            let answer = try await screen.poll(naming: wrong)
            #expect(answer.status == .badRequest && answer.error == .invalidRequest, "\(wrong)")
        }
        #expect(try await screen.poll(naming: names.joined(separator: " ")).status == .ok)
    }

    @Test func `that is held without a link ends when the request is approved, so that it can name it`() async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby()
        async let held = screen.poll(over: nil, prefer: "wait=30")
        await server.clock.sleepers(1)
        try await phone.decide(.approve, screen)
        #expect(try await held.error == .authorizationPending)
        #expect(try await screen.poll(over: screen.link).status == .ok)
    }

    @Test func `that is held with its link gets the tokens when the request is approved`() async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby()
        async let held = screen.poll(over: screen.link, prefer: "wait=30")
        await server.clock.sleepers(1)
        try await phone.decide(.approve, screen)
        #expect(try await held.status == .ok)
    }

    @Test func `is answered by one of two phones that decide at once, whichever it is`() async throws {
        let phones = [try await server.phone(), try await server.phone(of: .bert)]
        for _ in 0..<5 {
            let screen = try await server.screenNearby()
            var decisions: [(TestApprover, DecisionClaims)] = []
            for (number, phone) in phones.enumerated() {
                let shown = try await phone.shown(screen)
                decisions.append((phone, phone.claims(on: shown, over: TestServer.link(UInt8(number + 1)))))
            }
            let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                for (phone, claims) in decisions { group.addTask { try await phone.send(claims) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == .ok } == 1)
            #expect(answers.count { $0.error == .invalidGrant } == 1)
            #expect(try await screen.poll(over: TestServer.link(1), TestServer.link(2)).status == .ok)
        }
    }

    @Test func `gets its tokens once, of 50 at the same time`() async throws {
        let screen = try await server.screenNearby()
        try await server.phone().decide(.approve, screen)
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<50 { group.addTask { try await screen.poll(over: screen.link) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == .ok })
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(try await server.rows(of: "sign_ins") == 2, "one of the screen, and one of the phone")
    }

    @Test func `begins with a challenge that can be read`() async throws {
        for wrong in ["x", String(repeating: "A", count: 42), String(repeating: "A", count: 44), "+/="] {
            let form = try TestClients.tv.form.with(["nearby_challenge": wrong])
            let answer = try await server.post(server.path("device_authorization"), form)
            #expect(answer.status == .badRequest && answer.error == .invalidRequest)
        }
    }
}
