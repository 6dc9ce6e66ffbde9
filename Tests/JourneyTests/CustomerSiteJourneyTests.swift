import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Standard: the backend API and the device API of CM Authenticator SDK 4.0.
@Suite("A customer's server and a phone with the older SDK", .timeLimit(.minutes(10)))
struct CustomerSiteJourneyTests {
    @Test func `are written by others, and work unchanged`() async throws {
        let clock = ManualClock(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down) - 60))
        let telephone = Telephone()
        try await JourneyServer.with(
            clock: clock,
            configuring: { settings in
                settings.legacyAuthenticator = LegacyAuthenticator()
                settings.delivery = DeliverySettings(gateway: telephone)
            }
        ) { server in
            let mint = CodeMint(drawingFrom: .system)
            let store = try #require(await server.store)
            var draft = CustomerSiteDraft(name: "My Bank")
            draft.allowsLegacyDevices = true
            let (environment, secret) = try await CustomerSiteRegistry(of: store, mint: mint, clock: clock.source)
                .add(draft)
            let app = try await AuthenticatorAppRegistry(of: store, mint: mint, clock: clock.source)
                .add(named: "Bank", bundleID: "com.example.bank", project: nil)
            let number = try PhoneNumber("+31612345678")
            let subject = JourneyPerson.anna.subject
            try await server.change { repositories in
                try repositories.phoneNumbers.keep(PhoneNumberRecord(number, of: subject, verified: clock.date))
            }
            let ended = try await PythonProgram(name: "customer_with_old_phone").run(
                with: [
                    "JOURNEY_ISSUER": server.issuer.text,
                    "JOURNEY_ENVIRONMENT": environment.id.rawValue,
                    "JOURNEY_SECRET": secret.revealed,
                    "JOURNEY_APP_KEY": app.key.rawValue,
                    "JOURNEY_NUMBER": number.text,
                    "JOURNEY_TIME": "\(Int(clock.date.timeIntervalSince1970))",
                ],
                advancing: { clock.advance(by: $0) },
                answering: { line in
                    line == "code" ? await telephone.code() : nil
                }
            )
            #expect(ended.status == 0, "the program said:\n\(ended.output)")
        }
    }
}

/// A telephone that receives texts.
private actor Telephone: SMSGateway {
    private var texts: [String] = []

    func send(_ message: TextMessage) -> DeliveryOutcome {
        texts.append(message.text.revealed)
        return .accepted
    }

    /// The code of the last text.
    func code() async -> String {
        while texts.isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
        return String(texts.last?.prefix(6) ?? "")
    }
}
