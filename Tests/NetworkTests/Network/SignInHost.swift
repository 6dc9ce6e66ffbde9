import CommandFixture
import Foundation
import TestShell

/// A host with OpenSSH, sudo, su, login and services of pamtester that ask by the PAM module, a server, and the phone of Anna;
/// `PAM/host.sh` tells how the host is made.
struct SignInHost: Sendable {
    let fixture: NearbyFixture
    /// The phone of Anna, with a key that is enrolled.
    let phone: NearbyDevice
    /// The configuration and the secret of the host, and the module.
    private let files: CommandUnderTest
    private let secret: String
    private let host: Program
    private let number: Substring

    /// Whether this machine lets us make one: as root, with the programs for it.
    static let canBeMade: Bool = {
        guard getuid() == 0 else { return false }
        let wanted = "command -v sshd ssh sudo su login pamtester nsenter cc setpriv script openssl"
        let header = "test -e /usr/include/security/pam_modules.h"
        let spaces = "unshare --mount --net --pid --fork mount -t proc proc /proc"
        return (try? Shell.run("PATH=$PATH:/usr/sbin && \(wanted) && \(header) && \(spaces)")) != nil
    }()

    /// Why tests do not run where that can't be.
    static let need = "needs namespaces (root), OpenSSH, sudo, su, pamtester and the headers of PAM"

    /// Makes a host with these rules for its services, as `pam.json` has them, and ends it when `body` ends.
    static func with(_ services: String, _ body: (SignInHost) async throws -> Void) async throws {
        let fixture = try await NearbyFixture.start()
        let host = try await SignInHost(for: fixture, services)
        do {
            try await body(host)
        } catch {
            try? await host.end()
            throw error
        }
        try await host.end()
    }

    private init(for fixture: NearbyFixture, _ services: String) async throws {
        self.fixture = fixture
        phone = try await fixture.phone()
        _ = try await phone.home.run("countersign authenticator enroll")
        _ = try await fixture.server.command.run(
            "countersign admin user add ben --name 'Ben Example'", input: "\(RunningServer.password)\n")
        let added = try await fixture.server.administer(
            """
            client add this-host --confidential --grant ciba,device_code,refresh_token \
            --scope 'openid profile groups' --back-channel-number on --back-channel-unknown-people revealed --json
            """)
        guard let secret = added.output.firstMatch(of: /"client_secret" : "([^"]+)"/) else {
            throw RunningCommand.NeverPrinted(text: added.output)
        }
        self.secret = String(secret.1)
        files = try CommandUnderTest()
        let module = files.home.appendingPathComponent("pam_countersign.so").path
        try await Shell.run(aside: "\(Self.place("../../../Scripts/build-pam.sh")) \(Shell.word(module)) 2>&1")
        let port = fixture.server.base.split(separator: ":").last ?? ""
        let words = [files.home.path, module, BuiltPrograms.command.path, String(port), "/proc/\(getpid())/ns/net"]
        host = try Program("exec \(Self.place("host.sh")) \(words.map(Shell.word).joined(separator: " ")) 2>&1")
        number = try await host.line(with: "ready ").dropFirst("ready ".count)
        try rule(services)
    }

    /// Writes the rules of the services anew.
    ///
    /// - Parameter members: More members of the configuration, and others for those that it has.
    func rule(_ services: String, _ members: [String: String] = [:]) throws {
        let file = secretFile
        try Data(secret.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let usual = [
            "issuer": fixture.server.base, "client": "this-host", "secret-file": file.path,
            "people": "preferred_username",
        ]
        let all = usual.merging(members) { $1 }.map { "\"\($0)\": \"\($1)\", " }.sorted().joined()
        let text = "{\(all)\"services\": \(services)}"
        try Data(text.utf8).write(to: files.home.appendingPathComponent("pam.json"))
    }

    /// Writes a file that names the people of local users, and returns its path.
    func people(_ lines: String) throws -> String {
        let file = files.home.appendingPathComponent("people")
        try Data(lines.utf8).write(to: file)
        return file.path
    }

    /// Removes the file with the secret.
    func loseSecret() throws { try FileManager.default.removeItem(at: secretFile) }

    private var secretFile: URL { files.home.appendingPathComponent("secret") }

    /// Begins a session over ssh, at a terminal.
    func ssh(_ user: String, _ command: String) throws -> AnsweringTerminal {
        try atTerminal(
            """
            ssh -q -tt -F /dev/null -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
            -o NumberOfPasswordPrompts=1 \(user)@127.0.0.1 '\(command)'
            """)
    }

    /// Runs a line as a local user, at a terminal.
    func run(_ line: String, as user: Int) throws -> AnsweringTerminal {
        try atTerminal("setpriv --reuid=\(user) --regid=\(user) --clear-groups \(line)")
    }

    /// Runs operations of pamtester as root, at a terminal.
    func pamtester(_ words: String) throws -> AnsweringTerminal { try atTerminal("pamtester \(words)") }

    /// Begins a session at a console, as getty does for somebody who types a name.
    func login() throws -> AnsweringTerminal { try atTerminal("login") }

    /// Begins a session of Anna over ssh, which she approves with the number, and whose command says that it is in.
    func session(_ command: String) async throws -> AnsweringTerminal {
        let ssh = try ssh("anna", "echo I am in; \(command)")
        _ = try await answer("approve", number: try await ssh.readsNumber())
        await ssh.answer("")
        try await ssh.reads("I am in")
        return ssh
    }

    /// Runs a line of shell on the host to its end, as root, and returns what it printed.
    func inside(_ line: String) async throws -> String {
        let there = "nsenter --target \(number) --mount --net --pid --"
        return try await Shell.run(aside: "\(there) sh -c \(Shell.word(line)) 2>&1")
    }

    /// Waits until the host has the tokens of so many sessions.
    func hasSessions(_ count: Int) async throws {
        var names: [Substring] = []
        for _ in 0..<1_200 {
            names = try await inside("ls /run/countersign-pam 2> /dev/null || true").split(
                whereSeparator: \.isWhitespace)
            if names.count == count { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw RunningCommand.NeverPrinted(text: "\(count) sessions; there are \(names)")
    }

    /// Anna answers the request with this number, or the only one there is.
    func answer(_ answer: String, number: Substring? = nil) async throws -> CommandUnderTest.Outcome {
        let words = number.map { "--number \($0)" } ?? ""
        return try await phone.home.run("countersign approve --answer \(answer) \(words)")
    }

    /// A person approves the request with this code in a browser.
    func approve(_ code: String, as person: String) async throws {
        try await PersonAtBrowser(at: fixture.server.base).decide(
            "approve", on: code, as: person, password: RunningServer.password)
    }

    /// Plugs the host into a network, and starts the phone on that network's host a, where it waits for one screen.
    ///
    /// - Returns: The phone, and the program that lends it the server.
    func meetPhone(on network: Network) async throws -> (phone: AnsweringTerminal, way: Program) {
        try await network.plug(number)
        let port = fixture.server.base.split(separator: ":").last ?? ""
        let way = try network.python("forward.py", "\(port) /proc/\(getpid())/ns/net", on: .a)
        try await way.line(with: "ready")
        // The host looks for the usual app, not for that of a fixture.
        let there = phone.moved(to: .host(runningBy: network.userRunner(on: .a)))
        let waiting = try there.approve("--once --app countersign")
        try await waiting.reads("Screens nearby can ask now")
        return (waiting, way)
    }

    private func atTerminal(_ line: String) throws -> AnsweringTerminal {
        let there = "nsenter --target \(number) --mount --net --pid --"
        return try AnsweringTerminal(
            "exec \(there) script --quiet --return --command \"\(line)\" /dev/null", in: files)
    }

    private func end() async throws {
        _ = try await host.stop(SIGKILL)
        _ = try await fixture.server.stop()
    }

    private static func place(_ file: String) -> String {
        Shell.word(
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("PAM/\(file)").standardizedFileURL.path)
    }
}

extension AnsweringTerminal {
    /// Reads on until there is a number to type on the phone.
    func readsNumber() async throws -> Substring {
        try await reads("this number there: ")
        let text = try await running.printed { $0.contains(/this number there: \d\d/) }
        return text.matches(of: /this number there: (\d\d)/).map(\.1).reversed()[0]
    }

    /// Waits until there is a code to approve.
    func showsCode() async throws -> String {
        let text = try await running.printed { $0.contains(/The code is [A-Z]{4}-[A-Z]{4}/) }
        guard let shown = text.firstMatch(of: /The code is ([A-Z]{4}-[A-Z]{4})/) else {
            throw RunningCommand.NeverPrinted(text: text)
        }
        return String(shown.1)
    }

    /// Waits until there are six digits to type on the phone nearby.
    func showsDigits() async throws -> String {
        let text = try await running.printed { $0.contains(/type these digits: \d{3} \d{3}/) }
        guard let shown = text.firstMatch(of: /type these digits: (\d{3} \d{3})/) else {
            throw RunningCommand.NeverPrinted(text: text)
        }
        return String(shown.1)
    }
}
