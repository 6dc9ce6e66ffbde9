import CommandFixture
import Countersign
import CountersignRequester
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The question of helpers for a sign-in")
struct CredentialQuestionTests {
    private static let get = #"printf 'protocol=https\nhost=git.example.com\n\n' | countersign credential git get"#

    @Test func `is asked once, though twenty of them run at once`() async throws {
        let site = try await CredentialSite.start()
        try await site.remember()
        try await site.add("git.example.com")
        let helpers = try site.start("for number in $(seq 20); do (\(Self.get) > answer-$number) & done; wait")
        let asked = try await helpers.printed { $0.contains(/tell it to nobody: \d\d/) }
        try await site.decide("approve", by: asked)
        let outcome = try await helpers.finish()
        #expect(outcome.output.ranges(of: "You are asked on your own devices.").count == 1, "\(outcome.output)")
        let passwords = try await site.run("grep -h ^password= answer-* | sort | uniq -c").output
        let token = try await site.run("countersign token print").output
        #expect(passwords.trimmingCharacters(in: .whitespaces) == "20 password=\(token)")
        try await site.stop()
    }

    @Test func `is answered for those who waited when the person denies it, and for a while after that`() async throws {
        let site = try await CredentialSite.start()
        try await site.remember()
        try await site.add("git.example.com")
        let first = try site.start(Self.get)
        let asked = try await first.printed { $0.contains(/tell it to nobody: \d\d/) }
        let second = try site.start(
            Self.get.replacing("countersign", with: "strace -f -q -o trace -e trace=flock countersign"))
        // It finds that another one asks.
        let waits = try site.start("until grep -q EAGAIN trace 2> /dev/null; do sleep 0.05; done; echo waits")
        _ = try await waits.printed { $0.contains("waits") }
        try await site.decide("deny", by: asked)
        let denied = "quit=1\ncountersign: The request was denied on the other screen."
        for (helper, isSecond) in [(first, false), (second, true)] {
            let outcome = try await helper.finish()
            #expect(outcome.status == 3 && outcome.output.contains(denied), "\(outcome.output)")
            #expect(outcome.output.contains("You are asked") != isSecond, "\(outcome.output)")
        }
        let third = try await site.run(Self.get)
        #expect(third.status == 3 && third.output.contains(denied), "\(third.output)")
        #expect(third.output.contains(" Devices are asked again from 20"), "\(third.output)")
        #expect(third.output.contains("sign in with: countersign signin --issuer \(site.server.base) --client tv"))
        #expect(!third.output.contains("You are asked"), "\(third.output)")

        // One of a clock that was ahead answers nobody.
        let store = SealedFileTokenStore(
            directory: site.server.command.home.appendingPathComponent("data/countersign/tokens").path)
        let (issuer, error) = (try Issuer(site.server.base), CommandError("Denied.", status: .denied))
        try await CredentialFailure(error, asking: nil, at: .distantFuture)
            .save(at: TokenStoreKey(.credentialQuestion, issuer.text, "tv"), in: store)
        let fourth = try site.start(Self.get)
        try await site.decide("deny", by: try await fourth.printed { $0.contains(/tell it to nobody: \d\d/) })
        #expect(try await fourth.finish().status == 3)
        try await site.stop()
    }

    @Test func `is not asked where git or its user forbids it`() async throws {
        let site = try await CredentialSite.start()
        try await site.remember()
        try await site.add("git.example.com")
        let fill = "git -c credential.interactive=false -c credential.helper=countersign credential fill"
        let scheduled = try await site.run(#"printf 'protocol=https\nhost=git.example.com\n\n' | \#(fill)"#)
        #expect(scheduled.status == 128 && scheduled.output.contains("told us to quit"), "\(scheduled.output)")
        let settings = [
            "credential.interactive=false":
                "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=credential.interactive GIT_CONFIG_VALUE_0=off",
            "GCM_INTERACTIVE=never": "GCM_INTERACTIVE=never",
        ]
        for (setting, environment) in settings {
            let said = """
                countersign: Nobody is signed in at \(site.server.base), and \(setting) lets nobody be asked. Sign in with: \
                countersign signin --issuer \(site.server.base) --client tv --scope 'openid profile'

                """
            let outcome = try await site.run("export \(environment); \(Self.get)")
            #expect(outcome.status == 1 && outcome.output == "quit=1\n\(said)", "\(outcome.output)")
            if setting.hasPrefix("credential") { #expect(scheduled.output.hasPrefix(said), "\(scheduled.output)") }
        }
        // What is there is handed out.
        try await site.signIn()
        let token = try await site.run("countersign token print").output
        #expect(try await site.run("export GCM_INTERACTIVE=never; \(Self.get)").output.contains("password=\(token)"))
        try await site.stop()
    }

    @Test func `is not asked for who is signed in, whose tokens are renewed once for all`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        try await site.add("git.example.com")
        try await site.add("registry.example.com")
        let before = try await site.run("countersign token print").output
        let erased = try await site.run(
            #"printf 'protocol=https\nhost=git.example.com\npassword=\#(before)\n' | countersign credential git erase"#)
        #expect(erased.status == 0 && erased.output.isEmpty, "\(erased.output)")
        let docker = "echo registry.example.com | docker-credential-countersign get"
        let renewed = try await site.run(
            "for number in 1 2 3; do (\(Self.get) > git-$number) & (\(docker) > docker-$number) & done; wait; cat git-* docker-*"
        )
        let token = try await site.run("countersign token print").output.trimmingCharacters(in: .newlines)
        #expect(token != before.trimmingCharacters(in: .newlines))
        #expect(renewed.output.ranges(of: token).count == 6, "\(renewed.output)")
        try await site.stop()
    }

    @Test func `is not asked for a host that is to get less: its token has its own scope`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        try await site.add("git.example.com", "--scope openid")
        try await site.add("registry.example.com")
        let whole = try await site.run("countersign token print").output
        let password = "\(Self.get) | sed -n 's/^password=//p'"
        let token = try await site.run(password).output
        #expect(token.count > 1 && token != whole)
        // It is kept, and the others have theirs.
        #expect(try await site.run(password).output == token)
        #expect(try await site.run("countersign token print").output == whole)
        let docker = try await site.run("echo registry.example.com | docker-credential-countersign get").output
        #expect(docker.contains(whole.trimmingCharacters(in: .newlines)), "\(docker)")
        #expect(try await site.claims(by: token).contains("preferred_username") == false)
        #expect(try await site.claims(by: whole).contains("preferred_username"))
        // What the host refused is replaced, and nothing else.
        _ = try await site.run(
            #"printf 'protocol=https\nhost=git.example.com\npassword=\#(token)\n' | countersign credential git erase"#)
        let renewed = try await site.run(password).output
        #expect(renewed.count > 1 && renewed != token && renewed != whole)
        #expect(try await site.claims(by: renewed).contains("preferred_username") == false)
        #expect(try await site.run("countersign token print").output == whole)
        try await site.stop()
    }

    @Test func `is not asked for what was never granted`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let added = try await site.add("git.example.com", "--scope email")
        let command = "countersign signin --issuer \(site.server.base) --client tv --scope 'email'"
        #expect(added.contains("Its tokens have no email until you sign in again: \(command)\n"), "\(added)")
        let outcome = try await site.run(Self.get)
        #expect(outcome.output.contains("The sign-in has nothing of the scope email."), "\(outcome.output)")
        #expect(outcome.output.hasPrefix("quit=1\n") && !outcome.output.contains("password="), "\(outcome.output)")
        // docker would give up at it.
        try await site.add("registry.example.com", "--scope openid")
        let listed = try await site.run("docker-credential-countersign list").output
        #expect(listed == #"{"https://registry.example.com":"oauth2"}"# + "\n", "\(listed)")
        try await site.stop()
    }

    @Test func `is not asked where the server is away`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        try await site.add("git.example.com")
        let token = try await site.run("countersign token print").output
        try await site.stop()
        // A token that is alive is handed out.
        #expect(try await site.run(Self.get).output.contains("password=\(token)"))
        _ = try await site.run(
            #"printf 'protocol=https\nhost=git.example.com\npassword=\#(token)\n' | countersign credential git erase"#)
        let outcome = try await site.run(Self.get)
        #expect(outcome.status == 5 && outcome.output.contains("The server cannot be reached."), "\(outcome.output)")
        #expect(outcome.output.hasPrefix("quit=1\n"), "\(outcome.output)")
    }
}
