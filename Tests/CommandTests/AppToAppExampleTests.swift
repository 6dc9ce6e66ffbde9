import CommandFixture
import Foundation
import Testing

/// The example `AppToApp`, started by the desktop's own programs, each time as a process of its own.
@Suite(
    "The example of an app that signs in by another app",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/xdg-mime"), "needs xdg-utils")
)
struct AppToAppExampleTests {
    @Test func `is signed in by the provider's app, without a password`() async throws {
        let provider = BrowserProvider(knowing: "recipes")
        try await provider.run { base in
            try await install("app", "provider", in: provider.command)
            let start = try await provider.command.run("\(Self.desktop) AppToApp sign-in \(base) recipes schemes-only")
            #expect(start.output == "The provider's app is open.\n", "\(start.output)")
            #expect(try await answered(in: provider.command) == "Signed in as Anna Example.\n")
            #expect(provider.redeemed.count == 1)
            #expect(provider.redeemed.first?["redirect_uri"] == "com.example.apptoapp:/signed-in")
            let opened = try await provider.command.run("cat opened")
            #expect(opened.output.hasPrefix("com.example.provider.authorize:/authorize?"))
            let clear = try await provider.command.run("grep -rE 'access-1|Anna' data/countersign-app-to-app")
            #expect(clear.status == 1, "\(clear.output)")
        }
    }

    @Test func `says that the provider's app is missing, or too old`() async throws {
        let provider = BrowserProvider(knowing: "recipes")
        try await provider.run { base in
            let line = "\(Self.desktop) AppToApp sign-in \(base) recipes schemes-only"
            let missing = try await provider.command.run(line)
            #expect(missing.output == "The provider's app is missing. https://store.example.com/provider\n")
            try await install("provider", in: provider.command, leavingOut: "com.example.provider.authorize")
            let old = try await provider.command.run(line)
            #expect(old.output == "The provider's app is too old. https://store.example.com/provider\n")
            let opened = try await provider.command.run("ls opened")
            #expect(opened.status != 0)
        }
    }

    @Test func `goes on in the browser, and takes the answer at its https address`() async throws {
        let provider = BrowserProvider(knowing: "recipes")
        try await provider.run { base in
            let start = try await signInByBrowser(at: base, "universal", in: provider.command)
            #expect(start.output == "The provider's page is open.\n", "\(start.output)")
            let opened = try await provider.command.run("cat opened").output
            #expect(opened.hasPrefix("\(base)/authorize?"))
            let state = try MovedBrowser(opened: opened, by: base).state
            let address = "https://app.example.com/signed-in?code=A&state=\(state)"
            #expect(
                try await provider.command.run("AppToApp open '\(address)'").output == "Signed in as Anna Example.\n")
            // The same address has no effect a second time.
            #expect(
                try await provider.command.run("AppToApp open '\(address)'").output
                    == "Nobody asked for that. Do you want to sign in?\n"
            )
            #expect(provider.redeemed.count == 1)
        }
    }

    @Test func `hands the code to a backend, whose secret it never sees`() async throws {
        let provider = BrowserProvider(knowing: "recipes")
        try await provider.run { base in
            _ = try await provider.command.run("mkdir backend && echo the-client-secret > backend/secret")
            let backend = try provider.command.start(
                "exec AppBackend \(base) \(base)/token recipes $HOME/backend/secret 127.0.0.1:0"
            )
            let listening = try await backend.printed { $0.contains(/Listening on 127\.0\.0\.1:\d+\n/) }
            let place = try #require(listening.firstMatch(of: /127\.0\.0\.1:\d+/)).0
            _ = try await signInByBrowser(at: base, "backend=http://\(place)", in: provider.command)
            let opened = try await provider.command.run("cat opened").output
            let state = try MovedBrowser(opened: opened, by: base).state
            let answer = try await provider.command.run(
                "AppToApp open 'com.example.apptoapp:/signed-in?code=A&state=\(state)'"
            )
            #expect(answer.output.hasPrefix("The backend says: session "), "\(answer.output)")
            #expect(provider.redeemed.map { $0["client_secret"] } == ["the-client-secret"])
            // A code without the nonce of its request, or with another one, opens no session.
            for nonce in ["", #","nonce":"another""#] {
                let handover = """
                    {"client_id":"recipes","code":"A","redirect_uri":"com.example.apptoapp:/signed-in",\
                    "code_verifier":"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"\(nonce)}
                    """
                let refused = try await provider.command.run(
                    "curl -s -o /dev/null -w '%{http_code}' -d '\(handover)' http://\(place)/sign-in")
                #expect(refused.output == "403")
            }
            #expect(!opened.contains("secret") && !answer.output.contains("the-client-secret"))
            let found = try await provider.command.run("grep -rl the-client-secret . | sort")
            #expect(found.output == "./backend/secret\n")
            backend.signal(SIGTERM)
            _ = try await backend.finish()
        }
    }

    /// The outcome of the first answer at the redirect URI, with this query and the state of the request.
    private func opened(_ query: String, at base: String, in command: CommandUnderTest) async throws -> String {
        _ = try await signInByBrowser(at: base, "completion", in: command)
        let state = try MovedBrowser(opened: try await command.run("cat opened").output, by: base).state
        return try await command.run("AppToApp open 'com.example.apptoapp:/signed-in?\(query)&state=\(state)'").output
    }

    /// Features 36 and 41 of the older library: the errors of RFC 6749 §5.2 at the redirect URI and at the token
    /// endpoint.
    @Test(arguments: [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
    ])
    func `names the provider's error, whichever way it comes`(error: String) async throws {
        let provider = BrowserProvider(knowing: "recipes")
        try await provider.run { base in
            let returned = try await opened("error=\(error)", at: base, in: provider.command)
            #expect(returned == "The provider says \(error).\n")
            #expect(provider.redeemed.isEmpty)
            provider.answerToCode = ProviderOnPort.Answer(status: 400, body: #"{"error":"\#(error)"}"#)
            let redeemed = try await opened("code=A", at: base, in: provider.command)
            let again = error == "invalid_grant" ? "yes" : "no"
            #expect(
                redeemed == """
                    The provider says \(error).
                    Token: none. Completed: true. Error: \(error). Try again: \(again).

                    """)
        }
    }

    @Test(arguments: ["server_error", "temporarily_unavailable"])
    func `says that another try may help later`(error: String) async throws {
        let provider = BrowserProvider(knowing: "recipes")
        try await provider.run { base in
            let returned = try await opened("error=\(error)", at: base, in: provider.command)
            #expect(returned == "The provider says \(error). Another try may help later.\n")
        }
    }

    @Test(arguments: [
        (ProviderOnPort.Answer?.none, "Token: there. Completed: true. Error: none. Try again: no."),
        (ProviderOnPort.Answer(status: 0, body: ""), "Token: none. Completed: false. Error: none. Try again: yes."),
        (
            ProviderOnPort.Answer(status: 500, body: "<html>", type: "text/html"),
            "Token: none. Completed: false. Error: none. Try again: yes."
        ),
        (ProviderOnPort.Answer(status: 200, body: "{"), "Token: none. Completed: false. Error: none. Try again: no."),
        (
            ProviderOnPort.Answer(status: 400, body: "<html>", type: "text/html"),
            "Token: none. Completed: false. Error: none. Try again: no."
        ),
    ])
    func `says what came of the code, and whether another try may help`(
        answer: ProviderOnPort.Answer?,
        words: String
    ) async throws {
        let provider = BrowserProvider(knowing: "recipes")
        provider.answerToCode = answer
        try await provider.run { base in
            let redeemed = try await opened("code=A", at: base, in: provider.command)
            #expect(redeemed.hasSuffix("\n\(words)\n"), "\(redeemed)")
            #expect(provider.redeemed.count == 1)
        }
    }

    @Test(arguments: [
        ("com.example.apptoapp:/signed-in?code=A&state=x", "Nobody asked for that. Do you want to sign in?\n"),
        ("https://elsewhere.example/?code=A", "That is no answer of a provider.\n"),
    ])
    func `is not impressed by what it did not ask for`(address: String, words: String) async throws {
        let provider = BrowserProvider(knowing: "recipes")
        try await provider.run { base in
            _ = try await signInByBrowser(at: base, "", in: provider.command)
            #expect(try await provider.command.run("AppToApp open '\(address)'").output == words)
            #expect(provider.redeemed.isEmpty)
        }
    }

    /// A desktop of this test's own: `xdg-open` asks for handlers of schemes only where there is a display.
    private static let desktop = "export PATH=$HOME/bin:$PATH XDG_CONFIG_HOME=$HOME/config DISPLAY=:9;"

    /// Starts the app on a machine whose browser writes down what it is to open.
    private func signInByBrowser(
        at base: String,
        _ words: String,
        in command: CommandUnderTest
    ) async throws -> CommandUnderTest.Outcome {
        try await write(#"printf %s "$1" > "$HOME/opened""#, to: "browser", in: command)
        return try await command.run(
            "\(Self.desktop) export BROWSER=$HOME/bin/browser; AppToApp sign-in \(base) recipes \(words)"
        )
    }

    /// Declares the apps to the desktop, with the files of the example.
    private func install(
        _ apps: String...,
        in command: CommandUnderTest,
        leavingOut missing: String? = nil
    ) async throws {
        // The provider's app knows the person: it answers at once.
        let provider = #"""
            printf %s "$1" > "$HOME/opened"
            value() { printf '%b' "$(printf %s "$1" | sed -n "s/.*[?&]$2=\([^&]*\).*/\1/p" | sed 's/%/\\x/g')"; }
            exec xdg-open "$(value "$1" redirect_uri)?code=A&state=$(value "$1" state)"
            """#
        try await write(provider, to: "provider", in: command)
        try await write(
            #"AppToApp open "$1" > "$HOME/answered.new" 2>&1; mv "$HOME/answered.new" "$HOME/answered""#,
            to: "app",
            in: command
        )
        let declarations = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Examples/AppToApp/Declarations")
        for app in apps {
            let file = declarations.appendingPathComponent("\(app).desktop")
            // The output of the app is what the test looks at.
            let text = try String(contentsOf: file, encoding: .utf8).replacing("Exec=AppToApp open", with: "Exec=app")
            _ = try await command.run("mkdir -p data/applications; cat > data/applications/\(app).desktop", input: text)
            let schemes = text.matches(of: /x-scheme-handler\/([a-z.]+);/).map { String($0.1) }
            for scheme in schemes where scheme != missing {
                let done = try await command.run(
                    "\(Self.desktop) mkdir -p config; xdg-mime default \(app).desktop x-scheme-handler/\(scheme)"
                )
                #expect(done.status == 0, "\(done.output)")
            }
            guard let missing else { continue }
            _ = try await command.run("sed -i 's#x-scheme-handler/\(missing);##' data/applications/\(app).desktop")
        }
    }

    private func write(_ script: String, to name: String, in command: CommandUnderTest) async throws {
        _ = try await command.run(
            "mkdir -p bin; cat > bin/\(name); chmod +x bin/\(name)",
            input: "#!/bin/bash\n\(script)\n"
        )
    }

    /// The output of the app that the desktop started with the answer.
    private func answered(in command: CommandUnderTest) async throws -> String {
        let file = command.home.appendingPathComponent("answered")
        for _ in 0..<2400 {
            if let text = try? String(contentsOf: file, encoding: .utf8) { return text }
            try await Task.sleep(for: .milliseconds(25))
        }
        return "nothing"
    }
}
