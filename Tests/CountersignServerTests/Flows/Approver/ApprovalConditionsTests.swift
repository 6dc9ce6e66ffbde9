import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A device is told beforehand what it would be refused.
@Suite("The conditions for an approval that a device is told")
struct ApprovalConditionsTests {
    private static let play = ScopeWord("play")

    /// Demands, and the one that a device does not meet which was enrolled with a password an hour ago.
    private static let cases: [(ScopeDemands, ApprovalObstacle?)] = [
        (.none, nil), (ScopeDemands([.password, .deviceKey]), nil), (ScopeDemands([], within: 7200), nil),
        (ScopeDemands([], within: 60), .recent), (ScopeDemands([.secondFactor]), .secondFactor),
        (ScopeDemands([.userVerified]), .userVerified),
    ]

    @Test(arguments: cases)
    func `name the demand that it does not meet in its inbox, and none where it does`(
        demands: ScopeDemands, obstacle: ApprovalObstacle?
    ) async throws {
        try await TestServer.open(configuring: { $0.minimumEvidence = [Self.play: demands] }) { server in
            let desk = try await TestBackchannelClient.add(to: server)
            let device = try await server.authenticator()
            server.clock.advance(by: .seconds(3600))
            _ = try await desk.asked(["scope": "openid play"])
            let told = try #require(try await device.shown().response.approval)
            #expect(told.obstacle == obstacle && !told.isVerificationEnough && told.sessionTerms.isEmpty)
            #expect(try await device.decide(.approve).status == (obstacle == nil ? .ok : .forbidden))
            if obstacle != nil { #expect(try await device.decide(.deny).status == .ok) }
        }
    }

    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`max_age`).
    @Test(.server, arguments: [("7200", nil), ("60", ApprovalObstacle.recent), ("0", .recent)])
    func `name a sign-in that is older than the client says`(age: String, obstacle: ApprovalObstacle?) async throws {
        let server = TestServer.current
        let device = try await server.authenticator()
        server.clock.advance(by: .seconds(3600))
        let code = try await server.browser(of: .anna).newCode()
        let form = try TestClients.tv.form.with([
            "scope": "openid", "max_age": age, "person_code": code.revealed,
        ])
        #expect(try await server.post(server.path("device_authorization"), form).status == .ok)
        #expect(try await device.shown().response.approval?.obstacle == obstacle)
        #expect(try await device.decide(.approve).status == (obstacle == nil ? .ok : .forbidden))
    }

    @Test func `name it to a phone in front of the screen, too, until it is signed in again`() async throws {
        let minimum = [Self.play: ScopeDemands([], within: 60)]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            let phone = try await server.phone()
            server.clock.advance(by: .seconds(120))
            let screen = try await server.screenNearby(scope: "openid play")
            #expect(try await phone.shown(screen).response.approval?.obstacle == .recent)
            #expect(try await phone.decide(.approve, screen).status == .forbidden)
            let again = try await server.phone()
            #expect(try await again.shown(screen).response.approval?.obstacle == nil)
            #expect(try await again.decide(.approve, screen).status == .ok)
        }
    }

    @Test(.server) func `name the times to choose from, without remembering where there is no ID token`() async throws {
        let server = TestServer.current
        let phone = try await server.phone()
        let all = try await phone.shown(try await server.screenNearby(scope: "openid")).response.approval
        #expect(all?.sessionTerms == SessionTerm.allCases && all?.isRemembered == false)
        let plain = try await phone.shown(try await server.screenNearby(scope: "play", over: 8)).response.approval
        #expect(plain?.sessionTerms == SessionTerm.allCases.filter { $0 != .remembered })
    }
}
