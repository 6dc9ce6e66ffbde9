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
            passing.contains(status)
                ? .retry("status \(status)\(problem)") : .rejected("status \(status)\(problem)")
        case .signal(let signal): .retry("ended by the signal \(signal)\(problem)")
        }
    }

    /// The statuses of failures that may pass, or that the operator can end in time: `EX_NOHOST`, `EX_OSERR`,
    /// `EX_IOERR`, `EX_TEMPFAIL`, `EX_NOPERM`, `EX_CONFIG`.
    private static let passing: Set<Int32> = [68, 71, 74, 75, 77, 78]
}
