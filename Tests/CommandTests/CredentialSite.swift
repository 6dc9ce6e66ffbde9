import CommandFixture
import Foundation
import Testing

/// A terminal with a running server, and the helpers that programs call.
struct CredentialSite: Sendable {
    let server: RunningServer

    /// The beginning of a line whose programs find the helpers, read no settings of this machine, and have no terminal.
    static let prelude = #"export PATH="$HOME/bin:$PATH" GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0; "#

    static func start() async throws -> CredentialSite {
        let site = CredentialSite(server: try await RunningServer.start())
        let helpers = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Deployment").path
        let copied = try await site.run("mkdir bin && cp '\(helpers)'/*-credential-countersign bin")
        #expect(copied.status == 0, "\(copied.output)")
        return site
    }

    func stop() async throws { _ = try await server.stop() }

    /// Runs a line whose programs find the helpers.
    func run(_ line: String) async throws -> CommandUnderTest.Outcome {
        try await server.command.run(Self.prelude + line)
    }

    func start(_ line: String) throws -> RunningCommand { try server.command.start(Self.prelude + line) }

    /// Signs Anna in by the code.
    ///
    /// - Parameter session: The time that the sign-in lasts, as the form has it; `nil` for the suggested one.
    func signIn(for session: String? = nil, _ flags: String = "") async throws {
        let signin = try server.command.start("exec \(server.signInLine) --yes \(flags)")
        try await approve(signin, for: session)
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// Approves by the code that a terminal shows.
    func approve(_ terminal: RunningCommand, for session: String? = nil) async throws {
        let code = try await terminal.shownCode()
        try await PersonAtBrowser(at: server.base)
            .decide("approve", on: code, as: "anna", password: RunningServer.password, session: session)
    }

    /// Leaves Anna remembered at the terminal, and signed out.
    func remember() async throws {
        try await signIn(for: "remember")
        let signout = try await run("countersign signout")
        #expect(signout.status == 0, "\(signout.output)")
    }

    /// Decides about the request on Anna's account page, by the number that a program printed.
    func decide(_ decision: String, by printed: String) async throws {
        let number = try #require(printed.firstMatch(of: /tell it to nobody: (\d\d)/)).1
        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        let request = try #require(await person.text.firstMatch(of: /name="request" value="([^"]+)"/)).1
        try await person.submit("/activate", ["request": String(request)])
        let typed = decision == "approve" ? ["number": String(number)] : [:]
        try await person.submit(
            "/activate/decision", ["request": String(request), "decision": decision].merging(typed) { $1 })
    }

    /// The names of the claims that a token opens at the server.
    func claims(by token: String) async throws -> Set<String> {
        let bare = token.trimmingCharacters(in: .whitespacesAndNewlines)
        let answer = try await run("echo 'Authorization: Bearer \(bare)' | curl --silent -H @- \(server.base)/userinfo")
        let body = Data(answer.output.utf8)
        let claims = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        return Set(claims.keys)
    }

    /// Makes a certificate of this machine that vouches for itself, `cert.pem`, and its key, `key.pem`.
    func makeCertificate() async throws {
        let made = try await run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem \
            -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1
            """)
        #expect(made.status == 0, "\(made.output)")
    }

    /// Names a host that gets Anna's tokens; returns the lines that it prints.
    @discardableResult
    func add(_ host: String, _ flags: String = "") async throws -> String {
        let added = try await run("countersign credential add \(host) --issuer \(server.base) --client tv \(flags)")
        #expect(added.status == 0, "\(added.output)")
        return added.output
    }
}

/// A service beside the server that accepts its tokens: a program of the folder Services.
struct CredentialService: Sendable {
    private let program: RunningCommand
    /// The base of its addresses.
    let address: String

    /// Starts it.
    ///
    /// - Parameter line: The name of its program, and its arguments.
    static func start(_ line: String, beside site: CredentialSite) async throws -> CredentialService {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Services").path
        let program = try site.server.command.start(
            "ISSUER=\(site.server.base) CLIENT=tv REFUSED=refused exec python3 -B '\(folder)'/\(line)")
        let printed = try await program.printed { $0.contains("\n") }
        let address = try #require(printed.firstMatch(of: /https?:\/\/127\.0\.0\.1:\d+/)).0
        return CredentialService(program: program, address: String(address))
    }

    /// The address without its scheme.
    var authority: String { address.replacing(/https?:\/\//, with: "") }

    /// The requests that it has had, a line each.
    var requests: [Substring] { Self.requests(in: program.printed) }

    /// The requests that it has had, once `condition` holds for them: it prints one at its own pace.
    func requests(until condition: ([Substring]) -> Bool) async throws -> [Substring] {
        Self.requests(in: try await program.printed { condition(Self.requests(in: $0)) })
    }

    private static func requests(in printed: String) -> [Substring] {
        Array(printed.split(separator: "\n").dropFirst())
    }

    func stop() async throws {
        program.signal(SIGKILL)
        _ = try await program.finish()
    }
}
