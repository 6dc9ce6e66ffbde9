import Countersign
import CountersignStorage
import CountersignTesting
import Foundation
import TestShell
import Testing

@testable import CountersignServer

/// A program of a test in place of `sendmail`, in a directory that goes away.
private final class ScriptedSendmail: Sendable {
    let directory: URL
    var path: String { directory.appending(path: "sendmail").path() }

    /// Writes a shell script whose current folder is the directory. A process of its own writes it: one that a test starts
    /// meanwhile would hold our open file for a moment, and what is open for writing cannot be run.
    init(_ script: String) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "sendmail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let text = Shell.word("#!/bin/sh\ncd '\(directory.path())' || exit 1\n\(script)")
        let file = Shell.word(path)
        try Shell.run("printf '%s\\n' \(text) > \(file) && chmod 700 \(file)")
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func file(_ name: String) throws -> String {
        try String(contentsOf: directory.appending(path: name), encoding: .utf8)
    }
}

@Suite("The sendmail of the system")
struct SendmailGatewayTests {
    private let clock = ManualClock()

    private func mail(to address: String = "anna@example.org") -> Mail {
        Mail(
            id: Delivery.ID("delivery"), to: Mailbox(EmailAddress(address), name: "Zoë"),
            Mail.Content(
                subject: "Hello", text: "Line\n.\nLine\n", html: "<p>\(String(repeating: "long ", count: 3000))</p>",
                language: "en"),
            made: clock.date, expires: clock.date + 600)
    }

    private func gateway(_ path: String, at clock: TimeSource? = nil) -> SendmailGateway {
        SendmailGateway(
            at: path, sender: Mailbox(EmailAddress("login@radio.example"), name: "Radio Nord"),
            environment: ["PATH": "/usr/bin:/bin", "KEPT": "yes"], clock: clock ?? self.clock.source)
    }

    @Test func `gets the whole mail on its input, and no receiver among its arguments`() async throws {
        let program = try ScriptedSendmail(#"cat > mail; for x in "$@"; do echo "$x"; done > arguments; env > set"#)
        // An address may begin with a hyphen.
        let mail = mail(to: "-oQ/tmp@example.org")
        #expect(await gateway(program.path).send(mail) == .accepted)
        let sender = Mailbox(EmailAddress("login@radio.example"), name: "Radio Nord")
        #expect(try program.file("mail") == InternetMessage(mail: mail, sender: sender).text)
        #expect(try program.file("arguments") == "-i\n-f\nlogin@radio.example\n-t\n")
        let variables = try program.file("set").split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(variables.contains("KEPT"))
        #expect(Set(variables).subtracting(["PATH", "KEPT", "PWD", "OLDPWD", "SHLVL", "_"]).isEmpty)
    }

    @Test(arguments: [
        (0, DeliveryOutcome.accepted), (75, .retry("status 75: words more")), (68, .retry("status 68: words more")),
        (71, .retry("status 71: words more")), (77, .retry("status 77: words more")),
        (78, .retry("status 78: words more")), (76, .retry("status 76: words more")),
        (69, .retry("status 69: words more")), (1, .retry("status 1: words more")),
        (64, .rejected("status 64: words more")), (65, .rejected("status 65: words more")),
        (67, .rejected("status 67: words more")),
    ])
    func `says by its status what becomes of a mail`(status: Int, outcome: DeliveryOutcome) async throws {
        let program = try ScriptedSendmail("echo words >&2; echo more >&2; exit \(status)")
        #expect(await gateway(program.path).send(mail()) == outcome)
    }

    /// As `msmtp` and BusyBox print it.
    @Test(arguments: [
        (69, "451 4.7.1 Greylisted", false), (69, "450-One", false), (69, "550 5.1.1 No such mailbox", true),
        (69, "554-One", false), (1, "550 No such user", true), (1, "551 Not local", true), (1, "553-Bad", true),
        (69, "501 5.1.3 Bad address", true), (69, "530 5.7.0 Must issue a STARTTLS command first", false),
        (69, "535 5.7.8 Wrong password", false), (69, "554 5.7.1 Relay access denied", false),
        (69, "550 5.7.1 Unable to relay", false), (69, "553 5.1.8 Sender unknown", false), (1, "421 Too many", false),
        (1, "5500 words", false),
        (75, "550 words", false), (76, "554 No SMTP service here", false), (77, "535 5.7.8 Wrong password", false),
    ])
    func `quotes the answer of a relay, which decides where the status does not`(
        status: Int, answer: String, isFinal: Bool
    ) async throws {
        let program = try ScriptedSendmail("echo 'the mail failed\nserver message: \(answer)' >&2; exit \(status)")
        let reason = "status \(status): the mail failed server message: \(answer)"
        #expect(await gateway(program.path).send(mail()) == (isFinal ? .rejected(reason) : .retry(reason)))
    }

    @Test func `may write more errors than a pipe has room for, of which the beginning is taken`() async throws {
        let program = try ScriptedSendmail("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 75")
        let beginning = String(repeating: "x", count: 400)
        #expect(await gateway(program.path).send(mail()) == .retry("status 75: \(beginning)"))
    }

    @Test func `may close its error output before it ends`() async throws {
        let program = try ScriptedSendmail("echo words >&2; exec 2>&-; sleep 0.1; exit 75")
        #expect(await gateway(program.path).send(mail()) == .retry("status 75: words"))
    }

    @Test func `may end without reading the mail`() async throws {
        let program = try ScriptedSendmail("exit 75")
        for _ in 0..<20 { #expect(await gateway(program.path).send(mail()) == .retry("status 75")) }
    }

    @Test func `may leave a program behind that goes on`() async throws {
        let program = try ScriptedSendmail("cat > mail; (sleep 600) & echo $! > child; exit 0")
        #expect(await gateway(program.path).send(mail()) == .accepted)
        let child = try #require(pid_t(try program.file("child").trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(child, SIGKILL) == 0)
    }

    @Test func `is killed with its children when it does not end`() async throws {
        let program = try ScriptedSendmail("sleep 600")
        let outcome = await withTaskGroup(of: DeliveryOutcome.self) { group in
            group.addTask { await gateway(program.path).send(mail()) }
            await clock.sleepers(1)
            clock.advance(by: DeliveryTimes.longestMailCall)
            return await group.next()
        }
        #expect(outcome == .retry("ended by the signal 9"))
    }

    @Test func `that is missing is tried again`() async {
        let outcome = await gateway("/nonexistent/sendmail").send(mail())
        guard case .retry(let reason, after: nil) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.hasPrefix("/nonexistent/sendmail cannot be run"))
    }

    @Test func `ends before the next attempt begins`() {
        let delays = DeliveryTimes.mailDelays.map { Duration.seconds($0) }
        #expect(delays.allSatisfy { $0 > DeliveryTimes.longestMailCall && $0 > DeliveryTimes.longestCall })
    }
}
