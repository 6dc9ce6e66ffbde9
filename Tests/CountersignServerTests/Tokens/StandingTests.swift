import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A party that is locked or removed", .server)
struct StandingTests {
    let server = TestServer.current

    @Test(arguments: [Policy.Standing.locked, .absent])
    func `between approval and redemption gets nothing`(standing: Policy.Standing) async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        try await end(.anna, standing, at: server)

        let answer = try await server.poll(codes)
        #expect(answer.status == .badRequest)
        #expect(answer.error == .accessDenied)
        #expect(try await server.rows(of: "access_tokens") == 0)
        #expect(try await server.rows(of: "sign_ins") == 0)
    }

    @Test func `gets nothing after the lock either, once its screen was answered access_denied`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        try await server.lock(.anna)
        #expect(try await server.poll(codes).error == .accessDenied)
        try await server.lock(.anna, .active)
        for _ in 1...2 {
            server.clock.advance(by: .seconds(6))
            #expect(try await server.poll(codes).error == .accessDenied)
        }
        #expect(try await server.rows(of: "sign_ins") == 0)
        #expect(try await server.audited(.denied).map(\.by) == [AuditActor.server])
    }

    @Test func `gets nothing afterwards for what was approved before an operator cancelled it`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        let now = server.clock.date
        try await server.change { try Approvals($0).cancelAll(of: TestPerson.anna.subject, at: now) }
        #expect(try await server.poll(codes).error == .accessDenied)
        #expect(try await server.audited(.withdrawn).map(\.by) == [AuditActor.operator])
    }

    @Test func `while its request is held open gets nothing`() async throws {
        let codes = try await server.ask()
        let bert = try await server.browser(of: .bert)
        async let held = server.poll(codes, prefer: "wait=30")
        await server.clock.sleepers(1)
        try await server.lock(.bert)
        #expect(try await bert.take(codes).status == .forbidden)
        server.clock.advance(by: .seconds(30))
        #expect(try await held.error == .authorizationPending)
    }

    @Test(arguments: [Policy.Standing.locked, .absent])
    func `between taking and decision decides nothing`(standing: Policy.Standing) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        try await end(.anna, standing, at: server)
        #expect(try await anna.answer("approve", codes).status == .forbidden)
        #expect(try await anna.get("activate").location?.hasPrefix("/login?") == true)
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test(arguments: [Policy.Standing.locked, .absent])
    func `refreshes nothing, not even within the seconds for lost answers`(standing: Policy.Standing) async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        try await end(.anna, standing, at: server)
        // A lock is no sign-out: an app that is told `invalid_grant` throws its tokens away.
        let refusal: OAuthError.Code = standing == .locked ? .accessDenied : .invalidGrant
        #expect(try await server.refresh(first.refreshToken).error == refusal)
        #expect(try await server.refresh(second.refreshToken).error == refusal)
        #expect(try await !server.honours(second.accessToken))
    }

    @Test func `and unlocked again goes on`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        try await server.lock(.anna)
        // A screen that was told of it has to ask anew.
        try await server.lock(.anna, .active)
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test func `as a client can ask, redeem and refresh no more`() async throws {
        let tokens = try await server.signedIn()
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        try await server.remove(.tv)

        #expect(try await server.post("/device_authorization", TestClients.tv.form).error == .invalidClient)
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidClient)
        #expect(try await server.poll(codes).error == .invalidClient)
        #expect(try await anna.answer("approve", codes).status == .gone)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test func `as a client is not asked about any more`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        try await server.remove(.tv)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
        #expect(page.location == "/activate?user_code=\(codes.userCode)")
    }

    @Test func `as a client whose registration has expired is approved no more, before it is swept`() async throws {
        try await server.expire(.tv, after: 60)
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        server.clock.advance(by: .seconds(60))
        #expect(try await anna.answer("approve", codes).status == .gone)
    }

    private func end(_ person: TestPerson, _ standing: Policy.Standing, at server: TestServer) async throws {
        if standing == .absent {
            try await server.change { _ = try $0.people.remove(person.subject) }
        } else {
            try await server.lock(person, standing)
        }
    }
}
