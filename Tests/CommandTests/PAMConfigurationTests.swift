import Countersign
import CountersignRequester
import CountersignWire
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The configuration of a host")
struct PAMConfigurationTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-pam-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func `has the server, the client, the people and a rule for each service`() throws {
        defer { remove() }
        try write("secret", "hidden\n", mode: 0o600)
        try write("people", "root anna # the admins\nroot ben\n\ndeploy carl\n")
        let configuration = try read(
            """
            {"issuer": "https://id.example.com", "client": "host1", "secret-file": "\(path("secret"))",
             "people": "file:\(path("people"))",
             "services": {
               "sshd": {"evidence": ["number"], "ends-with-signout": true},
               "sudo": {"evidence": ["nearby", "device_key"], "groups": ["admins"], "timeout": 30, "fallback": "deny",
                        "unknown": "stack"},
               "su": {"asks": "caller", "ways": ["code"], "qr-code": false}
             }}
            """)
        #expect(configuration.issuer.text == "https://id.example.com" && configuration.client.id.rawValue == "host1")
        #expect(configuration.client.secret == ClientSecret(revealing: "hidden"))
        #expect(configuration.people == .file(["root": ["anna", "ben"], "deploy": ["carl"]]))
        let ssh = try #require(configuration.services["sshd"])
        #expect(ssh.evidence == [.number] && ssh.endsWithSignOut && !ssh.showsTexts && ssh.showsQRCode)
        #expect(ssh.timeout == 60 && ssh.fallback == .stack && ssh.groups.isEmpty && ssh.ways == [.push, .code])
        let sudo = try #require(configuration.services["sudo"])
        #expect(sudo.evidence == [.nearby, .deviceKey] && sudo.groups == ["admins"] && sudo.timeout == 30)
        #expect(ssh.unknown == .deny && sudo.unknown == .stack)
        #expect(sudo.fallback == .deny && sudo.showsTexts && !sudo.endsWithSignOut)
        let su = try #require(configuration.services["su"])
        #expect(su.asks == .caller && su.ways == [.code] && !su.showsQRCode)
        #expect(configuration.services["login"] == nil)
    }

    @Test func `that the package brings asks for nobody`() throws {
        defer { remove() }
        let brought = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("PAM/pam.json")
        let configuration = try read(try String(contentsOf: brought, encoding: .utf8))
        #expect(configuration.services.isEmpty && configuration.people == .username)
    }

    @Test(arguments: [
        ("", "is no JSON object"), ("[]", "is of another kind"), (#"{"client": "x", "services": {}}"#, "has no issuer"),
        (#"{"issuer": "http://id.example.com", "client": "x", "services": {}}"#, "is not the https:// address"),
        (#"{"issuer": "https://a.example", "client": "x"}"#, "has no services"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {}, "sevrices": {}}"#, "did you mean services?"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"group": []}}}"#, "did you mean groups?"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"evidence": ["luck"]}}}"#, "no evidence"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"ways": ["browser"]}}}"#, "push, code"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"ways": []}}}"#, "push, code"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"timeout": 1}}}"#, "timeout takes"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"timeout": "9"}}}"#, "su.timeout"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"asks": "nobody"}}}"#, "su.asks"),
        (#"{"issuer": "https://a.example", "client": "x", "services": {}, "people": "anybody"}"#, "people takes"),
    ])
    func `says what to change`(text: String, part: String) throws {
        defer { remove() }
        #expect {
            try read(text)
        } throws: { error in
            (error as? CommandError)?.description.contains(part) ?? false
        }
    }

    @Test(arguments: [0o666, 0o664, 0o646])
    func `is refused where others may change it`(mode: Int) throws {
        defer { remove() }
        let text = #"{"issuer": "https://a.example", "client": "x", "services": {}}"#
        _ = try read(text)
        #expect {
            try read(text, mode: mode)
        } throws: { error in
            (error as? CommandError)?.description.contains("chmod go-w") ?? false
        }
        try write("people", "root anna", mode: mode)
        #expect(throws: CommandError.self) {
            try read(
                #"{"issuer": "https://a.example", "client": "x", "services": {}, "people": "file:\#(path("people"))"}"#)
        }
    }

    @Test func `is refused where others may read the secret`() throws {
        defer { remove() }
        try write("secret", "hidden", mode: 0o644)
        let text =
            #"{"issuer": "https://a.example", "client": "x", "services": {}, "secret-file": "\#(path("secret"))"}"#
        #expect(throws: CommandError.self) { try read(text) }
    }

    private func read(_ text: String, mode: Int = 0o644) throws -> PAMConfiguration {
        try write("pam.json", text, mode: mode)
        return try PAMConfiguration(at: path("pam.json"))
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }
}

@Suite("The person for a local user")
struct PeopleMappingTests {
    private let file = PeopleMapping.file(["root": ["anna", "ben"], "deploy": ["carl"]])

    @Test func `has the same name, a claim, or is named by a file`() {
        #expect(PeopleMapping.username.expectation(for: "anna", numbered: 1000) == .usernames(["anna"]))
        #expect(
            PeopleMapping.claim("unix").expectation(for: "anna", numbered: 1000) == .claim("unix", value: "anna"))
        #expect(file.expectation(for: "deploy", numbered: 999) == .usernames(["carl"]))
        #expect(file.expectation(for: "root", numbered: 0) == .usernames(["anna", "ben"]))
    }

    @Test func `is nobody for the system's own users, unless a file names them`() {
        for name in ["root", "backup"] {
            #expect(PeopleMapping.username.expectation(for: name, numbered: 34) == nil)
            #expect(PeopleMapping.claim("unix").expectation(for: name, numbered: 34) == nil)
        }
        #expect(file.expectation(for: "backup", numbered: 34) == nil)
    }

    @Test func `is nobody for a user who does not exist`() {
        for mapping in [PeopleMapping.username, .claim("unix"), file] {
            #expect(mapping.expectation(for: "deploy", numbered: nil) == nil)
        }
    }

    @Test func `can be asked by a name where it is one person`() {
        #expect(file.expectation(for: "deploy", numbered: 999)?.loginHint == "carl")
        #expect(file.expectation(for: "root", numbered: 0)?.loginHint == nil)
        #expect(PeopleMapping.claim("unix").expectation(for: "anna", numbered: 1000)?.loginHint == nil)
    }

    @Test(arguments: ["root", "root anna ben", "a b\nc # d"])
    func `is not read from another line than a pair`(text: String) {
        #expect(throws: CommandError.self) { try PeopleMapping.people(in: text, of: "people") }
    }
}
