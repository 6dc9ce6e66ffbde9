import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A way for an approval to reach the server.
enum WayIn: String, Sendable, CaseIterable {
    /// A browser where a person typed the code.
    case page
    /// A browser that shows the code which its person typed on the screen.
    case personCode
    /// A browser where a person typed the code of another browser, which asks at the sign-in page.
    case browserSignIn
    /// The app on a phone nearby.
    case nearby
    /// Automatic sign-on.
    case automatic
    /// The provider's own app, which another app opened.
    case appToApp
    /// The provider's own app, which a screen on the same device opened.
    case activation
    /// An app that exchanges a token of another provider.
    case exchange
    /// A browser where a person opened the request of a client that named them.
    case backchannel
    /// The link in a text message about a request of a site.
    case textLink
    /// A browser that an app sent to `/authorize`.
    case authorize
    /// An enrolled device, which signs the decision.
    case authenticator
    /// A device of the older dialect.
    case legacyDevice
    /// A one-time password that is typed at the site of a customer.
    case password
    /// An app that presents the ticket of a person.
    case ticket

    /// Whether the request is made and approved in one step, so that nobody has taken or decided it before.
    var isOneStep: Bool { [.automatic, .appToApp, .exchange, .authorize, .ticket].contains(self) }

    /// Whether the request is addressed to one person, so that nobody else takes or decides it.
    var isAddressed: Bool {
        [.personCode, .backchannel, .textLink, .authenticator, .legacyDevice, .password].contains(self)
    }
}

/// An obstacle to an approval.
enum Obstacle: String, Sendable, CaseIterable {
    case nothing, lockedPerson, removedPerson, removedClient, policy, expired, takenByAnother, decidedByAnother
    /// The scope is only for a group, which the person is in, or left a moment ago.
    case inGroup, notInGroup
}

/// Every way in calls ``ApprovalService``, so none of them approves what the others refuse.
@Suite("A way in")
struct WaysInTests {
    static let cases: [(WayIn, Obstacle)] = WayIn.allCases.flatMap { way in
        Obstacle.allCases.compactMap { obstacle in
            way.isOneStep && [.policy, .takenByAnother, .decidedByAnother].contains(obstacle)
                || way == .browserSignIn && [.policy, .removedClient].contains(obstacle)
                // Their requests have no scope.
                || [.browserSignIn, .automatic].contains(way) && [.inGroup, .notInGroup].contains(obstacle)
                || way == .activation && obstacle == .policy
                || way.isAddressed && [.takenByAnother, .decidedByAnother].contains(obstacle)
                ? nil : (way, obstacle)
        }
    }

    @Test(arguments: cases)
    func `approves only what nothing stands against`(way: WayIn, obstacle: Obstacle) async throws {
        try await TestServer.open(
            withSigningKeys: false, withDomains: true,
            configuring: { settings in
                settings.trustedProxies = [AddressNetwork("192.0.2.1")!]
                settings.legacyAuthenticator = LegacyAuthenticator()
                if [.inGroup, .notInGroup].contains(obstacle) { settings.requiredGroups = [.openid: TestGroups.band] }
                if obstacle == .policy {
                    switch way {
                    case .page, .personCode, .backchannel, .authenticator:
                        settings.minimumEvidence = [ScopeWord("play"): ScopeDemands([.secondFactor])]
                    case .textLink, .legacyDevice, .password:
                        settings.minimumEvidence = [.openid: ScopeDemands([.password])]
                    case .browserSignIn, .nearby, .automatic, .appToApp, .activation, .exchange, .authorize, .ticket:
                        break
                    }
                }
            }
        ) { server in
            try await server.put(.anna, into: TestGroups.band)
            let attempt = try await ApprovalAttempt(way, against: obstacle, at: server)
            let before = try await server.audited(.approved).count
            let counted = try Self.approved(server)
            let isApproved = try await attempt.approve()
            // The app takes over what another person was only about to decide.
            let isTakenOver = [.nearby, .activation].contains(way) && obstacle == .takenByAnother
            #expect(isApproved == ([.nothing, .inGroup].contains(obstacle) || isTakenOver))
            #expect(try await server.audited(.approved).count == before + (isApproved ? 1 : 0))
            #expect(try Self.approved(server) == counted + (isApproved ? 1 : 0))
        }
    }

    /// The number of approvals that the server has counted.
    private static func approved(_ server: TestServer) throws -> Int {
        let name = #"countersign_sign_ins_decided_total{decision="approved"} "#
        let line = server.metrics.text().split(separator: "\n").first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }
}
