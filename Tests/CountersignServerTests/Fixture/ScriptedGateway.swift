import Countersign
import CountersignStorage
import CountersignTesting
import Testing

@testable import CountersignServer

/// A gateway that answers as a test says, and keeps what it is asked to send.
actor ScriptedGateway<Message: Sendable> {
    private(set) var sent: [Message] = []
    private var outcomes: [DeliveryOutcome]

    init(_ outcomes: DeliveryOutcome...) {
        self.outcomes = outcomes
    }

    func send(_ message: Message) async -> DeliveryOutcome {
        sent.append(message)
        return outcomes.isEmpty ? .accepted : outcomes.removeFirst()
    }
}

extension ScriptedGateway: SMSGateway where Message == TextMessage {}

extension ScriptedGateway: MailGateway where Message == Mail {}

extension ScriptedGateway: PushService where Message == PushMessage {
    nonisolated func serves(_ service: PushAddress.Service) -> Bool { service == .apple }
}

typealias CountingGateway = ScriptedGateway<TextMessage>
typealias TestMailGateway = ScriptedGateway<Mail>
typealias ScriptedPush = ScriptedGateway<PushMessage>

extension ServerTrait {
    /// A server whose mails a test's gateway takes.
    static let sendingMails = ServerTrait.server { $0.delivery.mailGateway = TestMailGateway() }
}

extension TestServer {
    /// Sends what is due, and returns all mails that were sent so far.
    func mails() async throws -> [Mail] {
        try await server.deliveries(over: ScriptedTransport([:])).deliver()
        return await (settings.delivery.mailGateway as? TestMailGateway)?.sent ?? []
    }
}

extension Mail {
    /// The code in its own line.
    var code: String? { content.text.firstMatch(of: #/\n([0-9]{8})\n/#).map { String($0.1) } }

    /// The path and query of its link, below the issuer.
    var link: String? { content.text.firstMatch(of: #/https?://[^/\s]+/(\S+)\n/#).map { String($0.1) } }
}
