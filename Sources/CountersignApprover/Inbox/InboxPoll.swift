internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The pauses before an unreachable server is retried.
enum InboxPause {
    /// The longest pause when the server asks for one.
    private static let longest = Duration.seconds(600)

    /// The pause after so many failures in a row: a second, and twice as long each time, to about a minute.
    ///
    /// - Parameter asked: The pause that the server asks for; `nil` if unknown.
    static func after(_ failures: Int, asked: Duration?) -> Duration {
        max(.seconds(1 << min(failures - 1, 6)), min(asked ?? .zero, longest))
    }
}

extension ApprovalError {
    /// Whether an inbox is polled again later: its requests stay pending.
    var isTemporary: Bool { [.unreachable, .busy, .badAnswer, .notTrusted, .accountLocked].contains(code) }
}

/// One poll of an inbox.
struct InboxPoll: Sendable {
    /// The answer to the question.
    enum Outcome: Sendable {
        /// The list, and the tag that names it in the next question.
        case listed(AuthenticatorInbox, tag: String?)
        /// The list is the same as before.
        case unchanged
        /// A request has ended before there was an answer.
        case deadline
        /// There is no answer.
        case failed(ApprovalError)
    }

    /// The longest requested holding time of a poll, in seconds.
    static let longestHold = 30

    let client: ApproverClient
    /// The tag of the list that is known; `nil` when none is.
    let tag: String?
    /// The requested holding time of the poll, in seconds.
    let hold: Int

    /// Asks until the server's clock shows a date; `nil` asks to the end.
    func outcome(until deadline: Date?) async -> Outcome {
        guard let deadline else { return await ask() }
        let end = await client.instant(of: deadline)
        let clock = client.clock
        return await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await ask() }
            group.addTask {
                try? await clock.sleep(until: end)
                return .deadline
            }
            let first = await group.next() ?? .deadline
            group.cancelAll()
            return first
        }
    }

    /// Asks, and waits for the answer.
    func ask() async -> Outcome {
        var call = ApproverCall(.get, "inbox")
        if let tag {
            call.hold = hold
            call.fields[.ifNoneMatch] = tag
            if let prefer = HTTPField.Name("Prefer"), let wait = WaitPreference(seconds: hold) {
                call.fields[prefer] = wait.headerValue
            }
        }
        do throws(ApprovalError) {
            let answer = try await client.send(call)
            if answer.response.status == .notModified, tag != nil { return .unchanged }
            guard answer.response.status == .ok else { return .failed(ApprovalError(.badAnswer, because: "no list")) }
            do throws(UnreadableAnswerError) {
                let inbox = try answer.decoded(AuthenticatorInbox.self)
                await client.observe(inbox.date, holding: call.hold)
                return .listed(inbox, tag: answer.response.headerFields[.eTag])
            } catch {
                return .failed(ApprovalError(.badAnswer, because: error.reason))
            }
        } catch {
            return .failed(error)
        }
    }
}

extension AuthenticatorInbox {
    /// The server's date.
    fileprivate var date: Date { Date(named: serverTime) }
}
