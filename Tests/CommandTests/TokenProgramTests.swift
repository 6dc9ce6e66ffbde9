import CommandFixture
import Foundation
import Testing

@Suite("Tokens for any program")
struct TokenProgramTests {
    @Test func `are in its environment, and its status is the command's`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let token = try await site.run("countersign token print").output
        let outcome = try await site.run(#"countersign token exec -- sh -c 'echo "$COUNTERSIGN_TOKEN"; exit 5'"#)
        #expect(outcome.status == 5 && outcome.output == token)
        let named = try await site.run("countersign token exec --env API_TOKEN -- printenv API_TOKEN COUNTERSIGN_TOKEN")
        #expect(named.status == 1 && named.output == token)
        let json = try await site.run("countersign token print --json").output
        #expect(json.contains(#""access_token" : "\#(token.trimmingCharacters(in: .newlines))""#))
        #expect(json.contains(/"expires" : "20\d\d-/))
        let idToken = try await site.run("countersign token print --id-token").output
        #expect(idToken.split(separator: ".").count == 3, "\(idToken)")
        try await site.stop()
    }

    @Test func `are in a file that has no name, beside what else it inherits`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let token = try await site.run("countersign token print").output
        let look = #"stat -L -c "%h %a" "$COUNTERSIGN_TOKEN_FILE"; env | grep -c ^COUNTERSIGN_TOKEN="#
        let outcome = try await site.run(
            """
            echo inherited > file; exec 7< file; ls /proc/self/fd | wc -l; countersign token exec --file -- \
            sh -c 'ls /proc/self/fd | wc -l; cat <&7; cat "$COUNTERSIGN_TOKEN_FILE"; echo; \(look)'
            """)
        let lines = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let before = try #require(lines.first.flatMap { Int($0) })
        // One more descriptor, without a name and for this user alone; none of the command's own.
        let expected = [
            "\(before)", "\(before + 1)", "inherited", token.trimmingCharacters(in: .newlines), "0 600", "0",
        ]
        #expect(lines == expected, "\(outcome.output)")
        try await site.stop()
    }

    @Test func `leave it the signals`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let program = try site.start(
            #"exec countersign token exec -- sh -c 'trap "exit 9" TERM; echo ready; while :; do sleep 0.1; done'"#)
        _ = try await program.printed { $0.contains("ready") }
        program.signal(SIGTERM)
        #expect(try await program.finish().status == 9)
        try await site.stop()
    }

    @Test func `leave it the signals that are ignored`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        // Those of the tests' own surroundings are ignored, too; from 32 on they belong to the C library.
        let look = "grep SigIgn /proc/self/status; countersign token exec -- grep SigIgn /proc/self/status"
        let outcome = try await site.run("\(look); trap '' INT TERM HUP USR1 QUIT; \(look)")
        let seen = outcome.output.split(separator: "\n")
            .compactMap { UInt64($0.dropFirst("SigIgn:\t".count), radix: 16) }.map { $0 & 0x7FFF_FFFF }
        #expect(seen.count == 4 && seen[0] == seen[1] && seen[2] == seen[3] && seen[1] != seen[2], "\(outcome.output)")
        try await site.stop()
    }

    @Test func `are not handed out when they are bound to a key`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn("--dpop")
        try await site.add("git.example.com")
        let said = "The tokens are bound to a key, which another program cannot prove."
        let printed = try await site.run("countersign token print")
        #expect(printed.status == 1 && printed.output.contains(said), "\(printed.output)")
        let run = try await site.run("countersign token exec -- echo ran")
        #expect(run.status == 1 && run.output.contains(said) && !run.output.contains("ran"), "\(run.output)")
        #expect(try await site.run("countersign token print --id-token").status == 0)
        try await site.stop()
    }

    @Test func `are presented with a proof where they are bound to a key and the other side knows that`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn("--dpop")
        let address = "\(site.server.base)/userinfo"
        let request = "curl --silent --output /dev/null --write-out '%{http_code}' -H @- \(address)"
        let accepted = try await site.run("countersign token header \(address) | tee header | \(request)")
        #expect(accepted.output == "200", "\(accepted.output)")
        let header = try await site.run("cat header").output
        #expect(header.wholeMatch(of: /Authorization: DPoP \S+\nDPoP: \S+\n/) != nil, "\(header)")
        let copied = try await site.run("grep ^Authorization header | sed 's/DPoP/Bearer/' | \(request)")
        #expect(copied.output == "401", "\(copied.output)")
        let elsewhere = try await site.run("countersign token header \(address)/more | \(request)")
        #expect(elsewhere.output == "401", "\(elsewhere.output)")
        try await site.stop()
    }

    @Test func `are presented to no other machine without encryption`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let outcome = try await site.run("countersign token header --allow-insecure-http http://api.example.com/me")
        #expect(outcome.status == 64 && outcome.output.contains("is not encrypted."), "\(outcome.output)")
        try await site.stop()
    }
}
