import Countersign
import CountersignRequester
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The client of a host's users")
struct PAMPublicClientTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-pam-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    /// Root may read everything.
    @Test(.enabled(if: geteuid() != 0, "needs a user with limited rights"))
    func `asks for a user who may not read the secret`() throws {
        defer { remove() }
        let configuration = try configuration(#""public-client": "screens","#, mode: 0o000)
        #expect(configuration.client.id == ClientID("screens") && configuration.client.secret == nil)
        #expect(configuration.isForUser)

        var rule = PAMServiceRule(for: "swaylock")
        let anna = PeopleMapping.Expectation.usernames(["anna"])
        #expect(try configuration.ways(for: "swaylock", by: rule, expecting: anna) == [.code])
        rule.endsWithSignOut = true
        #expect {
            try configuration.ways(for: "swaylock", by: rule, expecting: anna)
        } throws: { error in
            (error as? CommandError)?.description.contains("has ends-with-signout") ?? false
        }

        // A secret that cannot be read is a mistake without such a client, and so is one that is not there.
        #expect(throws: CommandError.self) { try self.configuration("", mode: 0o000) }
        try FileManager.default.removeItem(atPath: path("secret"))
        #expect(throws: CommandError.self) { try PAMConfiguration(at: path("pam.json")) }
    }

    @Test func `does not ask where the secret may be read`() throws {
        defer { remove() }
        let configuration = try configuration(#""public-client": "screens","#, mode: 0o600)
        #expect(configuration.client.id == ClientID("host1"))
        #expect(configuration.client.secret == ClientSecret(revealing: "hidden"))
        #expect(configuration.publicClient == ClientID("screens") && !configuration.isForUser)
        var rule = PAMServiceRule(for: "sudo")
        rule.endsWithSignOut = true
        let anna = PeopleMapping.Expectation.usernames(["anna"])
        #expect(try configuration.ways(for: "sudo", by: rule, expecting: anna) == [.push, .code])
        // One that others may read is refused, as ever.
        #expect(throws: CommandError.self) { try self.configuration(#""public-client": "screens","#, mode: 0o644) }
    }

    @Test(arguments: [
        #""client": "host1", "public-client": "screens""#,
        #""client": "host1", "public-client": "host1", "secret-file": "/etc/countersign/pam.secret""#,
    ])
    func `is another one than the host, which has a secret`(members: String) throws {
        defer { remove() }
        try write("pam.json", #"{"issuer": "https://a.example", \#(members), "services": {}}"#, mode: 0o644)
        #expect {
            try PAMConfigurationFile.read(at: path("pam.json"))
        } throws: { error in
            (error as? CommandError)?.description.contains("public-client takes another client") ?? false
        }
    }

    @Test func `needs files that users may read`() throws {
        defer { remove() }
        try write("people", "", mode: 0o640)
        try write("ca.pem", "", mode: 0o644)
        func findings(_ members: String, mode: Int) throws -> [String] {
            let text =
                #"{"issuer": "https://a.example", "client": "host1", \#(members) "services": {}, "people": "file:\#(path("people"))", "ca-file": "\#(path("ca.pem"))", "secret-file": "/x"}"#
            try write("pam.json", text, mode: mode)
            let file = try PAMConfigurationFile.read(at: path("pam.json"))
            return PAMPublicClientFiles(of: file, at: path("pam.json")).findings.map(\.finding)
        }
        func sentence(_ name: String) -> String {
            "Users may not read \(path(name)), as applications of public-client have to."
        }
        let members = #""public-client": "screens","#
        #expect(try findings(members, mode: 0o644) == [sentence("people")])
        #expect(try findings(members, mode: 0o600) == [sentence("pam.json"), sentence("people")])
        #expect(try findings("", mode: 0o600) == [])

        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        let closed = "Users may not search \(folder.path), as applications of public-client have to."
        #expect(try findings(members, mode: 0o644) == [closed, sentence("people")])
    }

    @Test func `cannot meet each rule of the host, which is no problem of its services`() {
        defer { remove() }
        func grades(_ services: [String: PAMServiceRule]) -> [String] {
            PAMRuleCheck(
                services: services, client: "screens", people: .username, asker: .users
            ).findings.map { "\($0.grade): \($0.finding)" }
        }
        var rule = PAMServiceRule(for: "sudo")
        rule.ways = [.push]
        let reason = "lets nobody in: push needs a client with a secret."
        #expect(grades(["sudo": rule, "su": rule, "sshd": rule]) == [])
        #expect(
            grades(["swaylock": rule]) == [
                "notice: For an application of public-client: The rule of swaylock \(reason)"
            ])
        let asUser = PAMRuleCheck(services: ["sudo": rule], client: "screens", people: .username, asker: .thisUser)
        #expect(asUser.findings.map(\.grade) == [.notice])
        #expect(asUser.findings.map(\.finding) == ["As your user: The rule of sudo \(reason)"])
    }

    private func configuration(_ members: String, mode: Int) throws -> PAMConfiguration {
        try write("secret", "hidden\n", mode: mode)
        try write(
            "pam.json",
            """
            {"issuer": "https://a.example", "client": "host1", \(members) "secret-file": "\(path("secret"))",
             "services": {}}
            """, mode: 0o644)
        return try PAMConfiguration(at: path("pam.json"))
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ name: String, _ text: String, mode: Int) throws {
        try? FileManager.default.removeItem(atPath: path(name))
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }
}

@Suite("The program that the module starts")
struct PAMProgramTests {
    @Test func `is one that can be started, and that root alone can change`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appendingPathComponent("program").path
        func state(mode: Int) throws -> PAMCheck.Program {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: program)
            return PAMCheck.Program(at: program)
        }
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: program))
        #expect(try state(mode: 0o644) == .absent)
        #expect(try state(mode: 0o757) == .changeable)
        #expect(PAMCheck.Program(at: folder.path) == .absent)
        #expect(PAMCheck.Program(at: "\(program)-none") == .absent)
        for path in ["/bin/sh", "/usr/bin/../bin/sh", "/usr/../usr/bin/./sh"] {
            #expect(PAMCheck.Program(at: path) == .safe, "\(path)")
        }
        // One of root's by a link that another may lead elsewhere.
        let link = folder.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/bin/sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(PAMCheck.Program(at: link) == .changeable)
    }
}

@Suite("A path")
struct PathPlaceTests {
    private static let anna: UInt32 = 1000

    private static func place(
        _ path: String, _ kind: PathPlace.Kind = .folder, owner: UInt32 = 0, mode: Int = 0o755
    ) -> PathPlace {
        PathPlace(path: path, kind: kind, owner: owner, permissions: mode)
    }

    private static let places = [
        place("/"), place("/usr"), place("/usr/bin"), place("/usr/bin/x", .file),
        place("/bin", .link("usr/bin"), mode: 0o777),
        place("/home"), place("/home/anna", owner: anna), place("/home/anna/c", .link("/usr/bin/x"), owner: anna),
        place("/usr/c", .link("/home/anna/c"), mode: 0o777), place("/usr/d", .link("./bin/../../bin/x"), mode: 0o777),
        place("/loop", .link("/loop"), mode: 0o777), place("/tmp", mode: 0o1777), place("/tmp/x", .file),
        place("/tmp/y", .file, owner: anna), place("/open", mode: 0o775), place("/open/x", .file),
    ]

    private static func visited(_ path: String) -> [PathPlace]? {
        PathPlace.visited(along: path) { path in places.first { $0.path == path } }
    }

    @Test(arguments: [
        ("/usr/bin/x", ["/", "/usr", "/usr/bin", "/usr/bin/x"]),
        ("/usr//bin/../bin/./x", ["/", "/usr", "/usr/bin", "/usr/bin", "/usr/bin/x"]),
        ("/../usr/bin/..", ["/", "/usr", "/usr/bin"]),
        ("/bin/x", ["/", "/bin", "/usr", "/usr/bin", "/usr/bin/x"]),
        ("/usr/d", ["/", "/usr", "/usr/d", "/usr/bin", "/bin", "/usr", "/usr/bin", "/usr/bin/x"]),
        ("/loop", nil), ("/usr/none", nil),
    ])
    func `is followed link by link`(path: String, visited: [String]?) {
        #expect(Self.visited(path)?.map(\.path) == visited)
    }

    @Test(arguments: [
        ("/usr/bin/x", true), ("/bin/x", true), ("/usr/d", true), ("/usr/c", false), ("/home/anna/c", false),
        ("/tmp/x", true), ("/tmp/y", false), ("/open/x", false),
    ])
    func `is for root alone where each of its places is`(path: String, isForRootAlone: Bool) throws {
        #expect(try #require(Self.visited(path)).allSatisfy(\.isForRootAlone) == isForRootAlone)
    }

    @Test(arguments: [
        (PathPlace.Kind.file, 0o755, true), (.file, 0o775, false), (.file, 0o757, false), (.file, 0o1757, false),
        (.folder, 0o755, true), (.folder, 0o775, false), (.folder, 0o757, false), (.folder, 0o1777, true),
        (.link("/x"), 0o777, true),
    ])
    func `has places that root alone can change, by their owner and mode`(
        kind: PathPlace.Kind, mode: Int, isForRootAlone: Bool
    ) {
        #expect(Self.place("/x", kind, mode: mode).isForRootAlone == isForRootAlone)
        #expect(!Self.place("/x", kind, owner: Self.anna, mode: mode).isForRootAlone)
    }
}
