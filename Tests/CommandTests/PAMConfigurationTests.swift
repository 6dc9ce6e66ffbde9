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
               "su": {"asks": "caller", "groups": ["wheel"], "ways": ["code"], "qr-code": false}
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
        #expect(su.asks == .caller && su.groups == ["wheel"] && su.ways == [.code] && !su.showsQRCode)
        #expect(configuration.services["sudo-i"] == sudo && configuration.services["su-l"] == su)
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
        (#"{"issuer": "https://a.example", "client": "x", "services": {"su": {"asks": "caller"}}}"#, "needs groups"),
        (
            #"{"issuer": "https://a.example", "client": "x", "services": {"su": {"asks": "caller", "groups": []}}}"#,
            "The rule of su"
        ),
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

    @Test func `has other rules for login shells where it names them`() throws {
        defer { remove() }
        let services = #""services": {"sudo": {}, "sudo-i": {"groups": ["admins"]}}"#
        let configuration = try read(#"{"issuer": "https://a.example", "client": "x", \#(services)}"#)
        #expect(configuration.services["sudo"]?.groups == [])
        #expect(configuration.services["sudo-i"]?.groups == ["admins"])
        #expect(configuration.services["su-l"] == nil)
    }

    @Test(arguments: ["absent", "exposed"])
    func `tells which services have a rule, whatever is wrong with the secret and the people`(secret: String) throws {
        defer { remove() }
        try write("exposed", "hidden", mode: 0o644)
        try write(
            "pam.json",
            """
            {"issuer": "https://a.example", "client": "x", "services": {"sshd": {}}, "people": "anybody",
             "secret-file": "\(path(secret))"}
            """)
        let file = try PAMConfigurationFile.read(at: path("pam.json"))
        #expect(file.services.keys.sorted() == ["sshd"])
        #expect(throws: CommandError.self) { try PAMConfiguration(file) }
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

    @Test func `has mistakes of its author, or cannot be trusted`() throws {
        defer { remove() }
        func found(_ text: String?, mode: Int = 0o644) throws -> Bool {
            try text.map { try write("pam.json", $0, mode: mode) }
            switch try PAMConfigurationFile.find(at: path("pam.json")) {
            case .success: return true
            case .failure: return false
            }
        }
        #expect(try !found(nil))
        #expect(try found(#"{"issuer": "https://a.example", "client": "x", "services": {}}"#))
        for text in ["", #"{"issuer": "https://a.example", "client": "x", "services": {}"#, #"{"isuer": "x"}"#] {
            #expect(try !found(text))
            #expect(throws: CommandError.self) { try found(text, mode: 0o666) }
        }
        try FileManager.default.removeItem(atPath: path("pam.json"))
        try FileManager.default.createDirectory(atPath: path("pam.json"), withIntermediateDirectories: false)
        #expect(throws: CommandError.self) { try found(nil) }
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
    private static let file = PeopleMapping.file(["root": ["anna", "ben"], "deploy": ["carl"]])

    private static func expectation(
        by mapping: PeopleMapping, for user: String, numbered number: UInt32?
    ) -> PeopleMapping.Expectation? {
        mapping.expectation(for: user, numbered: number, among: PersonalUsers(definitions: nil))
    }

    @Test func `has the same name, a claim, or is named by a file`() {
        #expect(Self.expectation(by: .username, for: "anna", numbered: 1000) == .usernames(["anna"]))
        #expect(
            Self.expectation(by: .claim("unix"), for: "anna", numbered: 1000) == .claim("unix", value: "anna"))
        #expect(Self.expectation(by: Self.file, for: "deploy", numbered: 999) == .usernames(["carl"]))
        #expect(Self.expectation(by: Self.file, for: "root", numbered: 0) == .usernames(["anna", "ben"]))
    }

    @Test(arguments: [0, 34, 60_001, 65_534, 524_288])
    func `is nobody for the system's own users, unless a file names them`(number: UInt32) {
        #expect(Self.expectation(by: .username, for: "backup", numbered: number) == nil)
        #expect(Self.expectation(by: .claim("unix"), for: "backup", numbered: number) == nil)
        #expect(Self.expectation(by: Self.file, for: "backup", numbered: number) == nil)
    }

    @Test func `is nobody for a user who does not exist, for whom is asked as for one without a person`() throws {
        let byName = try #require(Self.expectation(by: .username, for: "deploy", numbered: nil))
        let byClaim = try #require(Self.expectation(by: .claim("unix"), for: "deploy", numbered: nil))
        let name = try #require(byName.loginHint)
        #expect(Username(parsing: name) == nil && byClaim.loginHint == nil)
        for nobody in [byName, byClaim] {
            #expect(
                !nobody.isMet(by: UserInfoClaims(texts: ["preferred_username": name, "unix": "deploy"], lists: [:])))
        }
        #expect(Self.expectation(by: Self.file, for: "deploy", numbered: nil) == nil)
    }

    @Test func `can be asked by a name where it is one person`() {
        #expect(Self.expectation(by: Self.file, for: "deploy", numbered: 999)?.loginHint == "carl")
        #expect(Self.expectation(by: Self.file, for: "root", numbered: 0)?.loginHint == nil)
        #expect(Self.expectation(by: .claim("unix"), for: "anna", numbered: 1000)?.loginHint == nil)
    }

    @Test(arguments: ["root", "root anna ben", "a b\nc # d"])
    func `is not read from another line than a pair`(text: String) {
        #expect(throws: CommandError.self) { try PeopleMapping.people(in: text, of: "people") }
    }
}

@Suite("The local users who are people")
struct PersonalUsersTests {
    @Test(arguments: [
        (nil, 999, false), (nil, 1000, true), (nil, 60_000, true), (nil, 60_001, false), (nil, 65_534, false),
        ("UID_MIN\t\t 500\nUID_MAX 70000\n", 500, true), ("UID_MIN 500\nUID_MAX 70000", 70_000, true),
        ("UID_MIN 500\nUID_MAX 4294967295", 65_534, false), ("UID_MIN 0", 0, false), ("UID_MIN 0", 1, true),
        ("#UID_MIN 5", 5, false), ("UID_MIN many\nUID_MAX", 1000, true), ("UID_MIN 9\nUID_MAX 8", 9, false),
        ("SYS_UID_MIN 100\nSUB_UID_MIN 100000", 100, false),
    ])
    func `are those whom the system counts as such`(definitions: String?, number: UInt32, isPerson: Bool) {
        #expect(PersonalUsers(definitions: definitions).contains(number) == isPerson)
    }

    @Test(arguments: [(0, false), (60_000, false), (60_001, true), (65_534, false), (1_842_000_512, true)])
    func `do not reach the numbers of a directory`(number: UInt32, isExceeded: Bool) {
        #expect(PersonalUsers(definitions: nil).isExceeded(by: number) == isExceeded)
    }
}
