import CommandFixture
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The end of a server's terminal")
struct HangUpTests {
    private func action(
        onTerminal: Bool = true,
        ignored: Bool = false,
        _ environment: [String: String] = [:]
    ) -> HangUp.Action {
        HangUp(hasTerminal: onTerminal, wasIgnored: ignored, process: 4711, environment: environment).action
    }

    @Test func `stops a server that was started there`() {
        #expect(action() == .stop)
        // A shell of a desktop has these of the service that is its terminal.
        #expect(action(["INVOCATION_ID": "1d3e", "SYSTEMD_EXEC_PID": "815", "NOTIFY_SOCKET": ""]) == .stop)
    }

    @Test func `lets a service, and one under nohup, go on`() {
        #expect(action(onTerminal: false) == .reload)
        #expect(action(ignored: true) == .reload)
        #expect(action(["SYSTEMD_EXEC_PID": "4711"]) == .reload)
        #expect(action(["NOTIFY_SOCKET": "/run/systemd/notify"]) == .reload)
    }

    /// `script` gives the program a terminal of its own, which ends with `script`.
    @Test(arguments: [false, true])
    func `ends the program in order, unless nohup protects it`(isProtected: Bool) async throws {
        let command = try CommandUnderTest()
        let line = "\(isProtected ? "nohup " : "")countersign serve --listen 127.0.0.1:0"
        let terminal = try AnsweringTerminal(
            "exec script -qefc 'echo $$ > number; exec \(line) 2> log' /dev/null", in: command)
        _ = try await wait(for: "Server started and listening on", in: "log", of: command)
        let number = try #require(
            try await pid_t(command.run("cat number").output.trimmingCharacters(in: .whitespacesAndNewlines)))
        terminal.running.signal(SIGKILL)
        _ = try await terminal.finish()
        // What the terminal does not end is told to stop; it would outlive the test.
        if isProtected { kill(number, SIGTERM) }
        do {
            let log = try await wait(for: "message=stopped", in: "log", of: command)
            #expect(log.contains("message=stopping signal=\(isProtected ? "SIGTERM" : "SIGHUP")"), "\(log)")
        } catch {
            kill(number, SIGKILL)
            throw error
        }
    }

    /// Reads a file until it has some words; gives up after many looks.
    private func wait(for words: String, in file: String, of command: CommandUnderTest) async throws -> String {
        var text = ""
        for _ in 0..<9000 {
            text = (try? String(contentsOf: command.home.appending(path: file), encoding: .utf8)) ?? ""
            if text.contains(words) { return text }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw RunningCommand.NeverPrinted(text: text)
    }
}
