import CommandFixture
import Foundation
import Testing

@Suite(
    "Other applications and people of a host with the PAM module", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SignInHost.canBeMade, Comment(rawValue: SignInHost.need)))
struct HostApplicationTests {
    private static let anna = 3001

    @Test func `are asked by login at a console, for the name that was typed`() async throws {
        try await SignInHost.with(#"{"login": {"evidence": ["number"]}}"#) { host in
            for (answer, words) in [("deny", "Login incorrect"), ("approve", "$ ")] {
                let console = try host.login()
                try await console.reads("login: ")
                await console.answer("anna")
                let number = try await console.readsNumber()
                #expect(try await host.answer(answer, number: answer == "approve" ? number : nil).status == 0)
                try await console.reads(words)
                guard answer == "approve" else { continue }
                await console.answer("echo I am $(id -un); exit")
                let outcome = try await console.finish()
                #expect(outcome.status == 0 && outcome.output.contains("I am anna"), "\(outcome.output)")
                #expect(!outcome.output.contains("assword: "), "\(outcome.output)")
            }
        }
    }

    /// A module whose program the limits stop would say that the server is away, and lead to the password.
    @Test func `are asked whatever limits the application has, or refused where those cannot be raised`() async throws {
        try await SignInHost.with(#"{"door": {}}"#) { host in
            // Only a process with CAP_SYS_RESOURCE raises its hard limits, which some containers withhold.
            let answer = try await host.inside(
                "prlimit --as=1000000000 prlimit --as=unlimited echo raised 2> /dev/null || true")
            for limit in ["--nofile=24", "--as=100000000", "--data=50000000"] {
                for (bound, isAsked) in [("\(limit):", true), (limit, answer.contains("raised"))] {
                    let door = try host.run("prlimit \(bound) pamtester door anna authenticate", as: 0)
                    if isAsked { _ = try await host.answer("approve", number: try await door.readsNumber()) }
                    let outcome = try await door.finish()
                    #expect((outcome.status == 0) == isAsked, "\(bound): \(outcome.output)")
                    #expect(!outcome.output.contains("assword: "), "\(bound): \(outcome.output)")
                }
            }
        }
    }

    @Test func `are shown a code by a screen locker, which runs as an ordinary user and has no secret`() async throws {
        try await SignInHost.with("{}") { host in
            _ = try await host.fixture.server.administer(
                "client add this-screen --grant device_code --scope 'openid profile'")
            try host.rule(#"{"locker": {}}"#, ["public-client": "this-screen"])
            for (person, isAnna) in [("ben", false), ("anna", true)] {
                let locker = try host.run("pamtester locker anna authenticate", as: Self.anna)
                try await host.approve(try await locker.showsCode(), as: person)
                let outcome = try await locker.finish()
                #expect((outcome.status == 0) == isAnna, "\(person): \(outcome.output)")
                #expect(outcome.output.contains("successfully authenticated") == isAnna, "\(outcome.output)")
                #expect(!outcome.output.contains("assword: "), "\(outcome.output)")
            }
            // Root reads the secret, and asks by name.
            let root = try host.pamtester("locker anna authenticate")
            _ = try await host.answer("approve", number: try await root.readsNumber())
            #expect(try await root.finish().status == 0)
        }
    }

    @Test(.enabled(if: Network.canBeMade, Comment(rawValue: Network.need)))
    func `are let in at sudo by a phone that is nearby, where that alone counts`() async throws {
        try await SignInHost.with(#"{"sudo": {"evidence": ["nearby"], "ways": ["nearby"]}}"#) { host in
            try await Network.with { network in
                let (phone, way) = try await host.meetPhone(on: network)
                let sudo = try host.run("sudo id -un", as: Self.anna)
                try await phone.reads("in front of you")
                await phone.answer("yes")
                let digits = try await sudo.showsDigits()
                try await phone.reads("Digits: ")
                await phone.answer(digits)
                #expect(try await phone.reads("Approve?").contains("this-host wants to be signed in as Anna Example."))
                await phone.answer("yes")
                #expect(try await phone.finish().status == 0)
                let outcome = try await sudo.finish()
                #expect(outcome.status == 0 && outcome.output.contains("root"), "\(outcome.output)")
                #expect(!outcome.output.contains("The code is"), "\(outcome.output)")
                try await way.stop(SIGKILL)
            }
        }
    }

    @Test func `are those whom a file names, for root, too, and nobody else`() async throws {
        try await SignInHost.with("{}") { host in
            let file = try host.people("# Local users, and people\nben anna\nroot anna # at the console\n")
            try host.rule(#"{"sshd": {}, "door": {}}"#, ["people": "file:\(file)"])
            let ssh = try host.ssh("ben", "echo I am \\$(id -un)")
            _ = try await host.answer("approve", number: try await ssh.readsNumber())
            await ssh.answer("")
            let outcome = try await ssh.finish()
            #expect(outcome.status == 0 && outcome.output.contains("I am ben"), "\(outcome.output)")

            let root = try host.pamtester("door root authenticate")
            _ = try await host.answer("approve", number: try await root.readsNumber())
            #expect(try await root.finish().status == 0)

            // Anna has a person of her name, whom the file does not name.
            let unnamed = try host.ssh("anna", "echo I am \\$(id -un)")
            try await unnamed.reads("assword: ")
            await unnamed.answer("local")
            #expect(try await unnamed.finish().output.contains("I am anna"))
            #expect(!unnamed.printed.contains("this number there"), "\(unnamed.printed)")
        }
    }

    @Test func `are those whose claim has the local name, whatever they are called at the server`() async throws {
        try await SignInHost.with("{}") { host in
            let server = host.fixture.server
            _ = try await server.administer("user change anna --attribute unix_name=ben")
            _ = try await server.administer("claim add unix_name --from attribute:unix_name --scope profile")
            try host.rule(#"{"sshd": {"qr-code": false}}"#, ["people": "claim:unix_name"])
            // Ben's person has no such claim, and Anna is the local user ben alone.
            for (user, person, isIn) in [("ben", "anna", true), ("ben", "ben", false), ("anna", "anna", false)] {
                let ssh = try host.ssh(user, "echo I am \\$(id -un)")
                try await host.approve(try await ssh.showsCode(), as: person)
                await ssh.answer("")
                let outcome = try await ssh.finish()
                #expect(outcome.output.contains("I am \(user)") == isIn, "\(user), \(person): \(outcome.output)")
                #expect((outcome.status == 0) == isIn, "\(user), \(person): \(outcome.output)")
            }
        }
    }
}
