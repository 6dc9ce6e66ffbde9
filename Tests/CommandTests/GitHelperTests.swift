import CommandFixture
import Foundation
import Testing

@Suite("git with the helper")
struct GitHelperTests {
    @Test func `clones, pushes and fetches by the token of a sign-in`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let git = try await Self.server(beside: site)
        try await site.add(git.address)
        let outcome = try await site.run(
            """
            git clone --quiet \(git.address)/project.git work && cd work && \(Self.commit) Second \
            && git push --quiet origin HEAD:main && git -c credential.useHttpPath=true fetch --quiet && git log --format=%s origin/main
            """)
        #expect(outcome.status == 0 && outcome.output == "Second\nFirst\n", "\(outcome.output)")
        _ = try await git.requests {
            $0.contains { $0.hasPrefix("POST /project.git/git-receive-pack with a token") }
        }
        try await git.stop()
        try await site.stop()
    }

    @Test func `gets another token after one was refused`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let git = try await Self.server(beside: site)
        try await site.add(git.address)
        #expect(try await site.run("countersign token print > refused").status == 0)
        let refused = try await site.run("git ls-remote \(git.address)/project.git")
        #expect(refused.status == 128 && refused.output.contains("Authentication failed"), "\(refused.output)")
        let again = try await site.run("git ls-remote \(git.address)/project.git")
        #expect(again.status == 0 && again.output.contains("refs/heads/main"), "\(again.output)")
        #expect(try await site.run("countersign token print | grep -cxFf refused").output == "0\n")
        try await git.stop()
        try await site.stop()
    }

    @Test func `sends no token to a host that was not named`() async throws {
        let site = try await CredentialSite.start()
        try await site.signIn()
        let git = try await Self.server(beside: site)
        try await site.add(git.address.replacing("127.0.0.1", with: "localhost"))
        let outcome = try await site.run("git ls-remote \(git.address)/project.git")
        #expect(outcome.status == 128 && outcome.output.contains("could not read Username"), "\(outcome.output)")
        let requests = try await git.requests { !$0.isEmpty }
        #expect(requests.allSatisfy { $0.hasSuffix("without a token") }, "\(requests)")
        try await git.stop()
        try await site.stop()
    }

    @Test func `hears why when nobody is signed in and there is no terminal, and asks for no password`() async throws {
        let site = try await CredentialSite.start()
        let git = try await Self.server(beside: site)
        try await site.add(git.address)
        let outcome = try await site.run("git ls-remote \(git.address)/project.git")
        #expect(outcome.status == 128, "\(outcome.output)")
        #expect(
            outcome.output.contains(
                """
                countersign: Nobody is signed in at \(site.server.base), and nobody can be asked from here. Sign in with: \
                countersign signin --issuer \(site.server.base) --client tv --scope 'openid profile'

                """))
        #expect(outcome.output.contains("told us to quit"))
        try await git.stop()
        try await site.stop()
    }

    @Test func `lets the person sign in at the terminal, though standard input and output are its own`() async throws {
        let site = try await CredentialSite.start()
        let git = try await Self.server(beside: site, helper: "'countersign --only code'")
        try await site.add(git.address)
        // A terminal that cannot be redrawn gets plain lines.
        let line = "PATH=$HOME/bin:$PATH TERM=dumb git ls-remote \(git.address)/project.git < /dev/null | tee refs"
        let terminal = try AnsweringTerminal(
            "exec script --quiet --return --command '\(line)' /dev/null", in: site.server.command)
        try await terminal.reads("Sign in at \(site.server.base):")
        try await site.approve(terminal.running)
        try await terminal.reads("Continue as Anna Example (anna)? [yes/no] ")
        await terminal.answer("yes")
        let outcome = try await terminal.finish()
        #expect(outcome.output.contains("Signed in as Anna Example (anna)."), "\(outcome.output)")
        let refs = try await site.run("cat refs").output
        #expect(refs.wholeMatch(of: /[0-9a-f]{40}\tHEAD\n[0-9a-f]{40}\trefs\/heads\/main\n/) != nil, "\(refs)")
        try await git.stop()
        try await site.stop()
    }

    @Test func `asks the person who is remembered on their devices where there is no terminal`() async throws {
        let site = try await CredentialSite.start()
        try await site.remember()
        let git = try await Self.server(beside: site)
        try await site.add(git.address)
        let listing = try site.start("exec git ls-remote \(git.address)/project.git")
        let asked = try await listing.printed { $0.contains(/tell it to nobody: \d\d/) }
        #expect(asked.contains("countersign: You are asked on your own devices. Answer there."))
        try await site.decide("approve", by: asked)
        let outcome = try await listing.finish()
        #expect(outcome.status == 0 && outcome.output.contains("refs/heads/main"), "\(outcome.output)")
        try await git.stop()
        try await site.stop()
    }

    private static let commit = "git -c user.name=Anna -c user.email=anna@example.com commit --quiet --allow-empty -m"

    /// A git server with one repository and one commit in it.
    private static func server(
        beside site: CredentialSite,
        helper: String = "countersign"
    ) async throws -> CredentialService {
        let made = try await site.run(
            """
            git init --quiet --bare --initial-branch main repositories/project.git \
            && git -C repositories/project.git config http.receivepack true \
            && git init --quiet --initial-branch main seed && cd seed && \(commit) First \
            && git push --quiet ../repositories/project.git main
            """)
        #expect(made.status == 0, "\(made.output)")
        let server = try await CredentialService.start("git_server.py repositories", beside: site)
        let configured = try await site.run("git config --global credential.\(server.address).helper \(helper)")
        #expect(configured.status == 0, "\(configured.output)")
        return server
    }
}
