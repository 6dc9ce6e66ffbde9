import Countersign
import CountersignApprover
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes

/// The phone of a person, with an app that is made with `CountersignApprover` and has no screen.
struct JourneyPhone: Sendable {
    /// The client as which the server knows the app.
    static let app = ClientID("authenticator")

    /// The items that the app keeps besides its tokens, in memory.
    actor Items: AuthenticatorStore {
        private(set) var all: [AuthenticatorItem: [UInt8]] = [:]

        func load(_ item: AuthenticatorItem) -> [UInt8]? { all[item] }
        func save(_ bytes: [UInt8], for item: AuthenticatorItem) { all[item] = bytes }
        func remove(_ item: AuthenticatorItem) { all[item] = nil }
    }

    /// Answers without the header field `Date`: the server fills it by the real clock, and not by that of the story.
    private struct UndatedTransport: HTTPTransport {
        let base: any HTTPTransport

        func send(
            _ request: HTTPRequest,
            body: [UInt8],
            within limit: Duration
        ) async throws(TransportError) -> HTTPAnswer {
            let answer = try await base.send(request, body: body, within: limit)
            var response = answer.response
            response.headerFields[.date] = nil
            return HTTPAnswer(response, body: answer.body)
        }
    }

    private struct Keys: ApproverKeyStore {
        let key: ApproverPrivateKey

        func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner { key }
    }

    let key: ApproverPrivateKey
    let tokens: MemoryTokenStore
    let items: Items
    /// The app's sign-in with a ticket.
    let signIn: TicketSignIn
    let approver: Approver

    /// A phone that is not enrolled yet.
    ///
    /// - Parameters:
    ///   - network: The network of the app; by default one that sets no limit by the real clock.
    ///   - entrances: The addresses that open it, as an app that is no enrolled device; by default it is one.
    init(
        at server: JourneyServer,
        over network: any HTTPTransport = OverheardTransport(),
        openedBy entrances: [String] = []
    ) {
        let (key, tokens, items) = (ApproverPrivateKey(drawingFrom: .system), MemoryTokenStore(), Items())
        let (issuer, clock) = (server.issuer, server.clock.skipping)
        let network = UndatedTransport(base: network)
        self.key = key
        self.tokens = tokens
        self.items = items
        signIn = TicketSignIn(
            at: issuer,
            as: Self.app,
            keepingTokensIn: tokens,
            in: RequesterContext(over: network, clock: clock, random: .system)
        )
        let refresher = TokenRefresher(
            at: issuer,
            as: Self.app,
            keepingTokensIn: tokens,
            in: RequesterContext(over: network, clock: clock, random: .system)
        )
        var details = DeviceDetails()
        details.platform = "iOS"
        var options = ApprovalOptions()
        options.entrances = entrances
        approver = Approver(
            for: ApproverAccount(
                id: ApproverAccount.ID("anna"), issuer: issuer,
                accessToken: { try await refresher.signedIn().accessToken }),
            as: entrances.isEmpty ? .device(details, keepingStateIn: items) : .app,
            keepingKeysIn: Keys(key: key),
            options: options,
            // A request that an opened app shows waits for its person, whose time must not be skipped.
            in: ApproverContext(
                over: network, clock: entrances.isEmpty ? clock : server.clock.source, random: .system)
        )
    }

    /// Signs the app in by a ticket, and registers the device, if it is one.
    func enroll(by ticket: EnrollmentTicket) async throws {
        _ = try await signIn.redeem(ticket)
        if case .device = approver.kind { try await approver.register() }
    }
}

extension JourneyServer {
    /// Registers the app of phones.
    func addPhoneApp() async throws {
        let now = clock.date
        try await change { repositories in
            try repositories.clients.insert(
                Client(
                    id: JourneyPhone.app,
                    name: "Authenticator",
                    kind: .public,
                    grantTypes: [.preAuthorizedCode, .refreshToken],
                    scope: Scope([.openid, .offlineAccess, .nearbyApprove]),
                    tokenFormat: .opaque,
                    created: now
                )
            )
        }
    }

    /// A ticket of somebody who has typed their password just now.
    ///
    /// - Parameter environment: The site that a device joins by it; `nil`, the default, to enrol a device.
    func ticket(of person: JourneyPerson, for environment: CustomerSiteID? = nil) async throws -> EnrollmentTicket {
        let ticket: EnrollmentTicket = CodeMint(drawingFrom: .system).secret()
        let now = clock.date
        let record = EnrollmentTicketRecord(
            digest: ticket.digest,
            subject: person.subject,
            environment: environment,
            evidence: Evidence([.accountPassword(at: now)]),
            made: now,
            expires: now + 300
        )
        try await change { try $0.enrollmentTickets.insert(record) }
        return ticket
    }
}
