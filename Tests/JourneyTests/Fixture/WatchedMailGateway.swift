import Countersign
import CountersignServer
import CountersignTesting
import NIOConcurrencyHelpers

/// A gateway that notes each attempt at a mail, and leaves it to another one.
struct WatchedMailGateway: MailGateway {
    struct Attempt: Sendable {
        let mail: Mail
        let outcome: DeliveryOutcome
    }

    private struct State {
        var running = 0
        var attempts: [Attempt] = []
    }

    struct NoMail: Error {
        let attempts: [Attempt]
    }

    private let base: any MailGateway
    private let state = NIOLockedValueBox(State())

    init(_ base: any MailGateway) { self.base = base }

    func send(_ mail: Mail) async -> DeliveryOutcome {
        state.withLockedValue { $0.running += 1 }
        let outcome = await base.send(mail)
        state.withLockedValue {
            $0.running -= 1
            $0.attempts.append(Attempt(mail: mail, outcome: outcome))
        }
        return outcome
    }

    /// Waits for the ends of attempts at mails with a subject; the clock goes on unless one runs.
    ///
    /// - Parameters:
    ///   - count: The number of attempts.
    ///   - address: The receiver of the mails.
    func attempts(
        _ count: Int = 1, at subject: String, to address: String, advancing clock: ManualClock
    ) async throws -> [Attempt] {
        for _ in 0..<12_000 {
            let (isRunning, attempts) = state.withLockedValue { ($0.running > 0, $0.attempts) }
            let found = attempts.filter {
                $0.mail.content.subject == subject && $0.mail.to.address == EmailAddress(address)
            }
            if found.count >= count { return found }
            if !isRunning { clock.advance(by: .milliseconds(100)) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NoMail(attempts: state.withLockedValue(\.attempts))
    }
}
