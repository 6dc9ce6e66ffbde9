/// Sends mails through the `sendmail` of the system, or a program with its options, as every mail server and `msmtp`
/// have it.
///
/// No shell is involved, and no argument comes from a receiver: the program reads the receiver in the head of the mail.
/// Standard: Linux Standard Base 5.0, `sendmail` (`-i`, `-t`, `-f`); `sysexits.h`.
public struct SendmailGateway: MailGateway {
    /// The usual place of the program.
    public static let standardPath = "/usr/sbin/sendmail"

    private let path: String
    private let sender: Mailbox
    private let environment: [String: String]
    private let clock: TimeSource

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - sender: The sender, whose address is also that of returned mails.
    ///   - environment: The environment of the program.
    ///   - clock: The time; `TimeSource.system` outside tests.
    public init(at path: String, sender: Mailbox, environment: [String: String], clock: TimeSource) {
        self.path = path
        self.sender = sender
        self.environment = environment
        self.clock = clock
    }

    /// Sends a mail.
    ///
    /// - Parameter mail: The mail, with the identifier of all attempts.
    /// - Returns: The outcome of the attempt.
    public func send(_ mail: Mail) async -> DeliveryOutcome {
        let message = InternetMessage(mail: mail, sender: sender)
        do throws(ChildProgram.StartError) {
            let program = try ChildProgram(
                path, ["-i", "-f", sender.address.rawValue, "-t"], environment: environment,
                input: Array(message.text.utf8))
            let (ending, problem) = await program.ending(within: DeliveryTimes.longestMailCall, by: clock)
            return Self.outcome(of: ending, problem.map { ": \($0)" } ?? "")
        } catch {
            return .retry(error.description)
        }
    }

    private static func outcome(of ending: ChildProgram.Ending, _ problem: String) -> DeliveryOutcome {
        switch ending {
        case .status(0): .accepted
        case .status(let status):
            isFinal(status, problem) ? .rejected("status \(status)\(problem)") : .retry("status \(status)\(problem)")
        case .signal(let signal): .retry("ended by the signal \(signal)\(problem)")
        }
    }

    /// Whether a failure is one of this mail or its receiver. Others may pass, or the operator can end them in time.
    ///
    /// `msmtp` has `EX_UNAVAILABLE` for mails that a relay refuses for now, and for ever; BusyBox has 1 for everything.
    /// Then the answer of the relay decides, if the program quotes it.
    private static func isFinal(_ status: Int32, _ problem: String) -> Bool {
        switch status {
        case 64, 65, 67: true
        case 1, 69: refusesReceiver(problem)
        default: false
        }
    }

    /// Whether a quoted answer refuses the receiver. A relay that wants TLS or a sign-in, relays for nobody, or refuses
    /// the sender may be set right.
    ///
    /// Standard: RFC 5321 §4.2.3 (`550`, `551`, `553`); RFC 3463 §3.2 (`5.1.x`; `5.1.7` and `5.1.8` are of the sender),
    /// §3.8 (`5.7.x`); RFC 4954 §6 (`530`, `535`).
    private static func refusesReceiver(_ problem: String) -> Bool {
        guard let answer = problem.firstMatch(of: /: (5[0-9][0-9])[ -](5\.[0-9]{1,3}\.[0-9]{1,3})?/) else {
            return false
        }
        let (code, detail) = (String(answer.1), answer.2.map { String($0) } ?? "")
        guard !detail.hasPrefix("5.7."), !["5.1.7", "5.1.8"].contains(detail) else { return false }
        return detail.hasPrefix("5.1.") || ["550", "551", "553"].contains(code)
    }
}
