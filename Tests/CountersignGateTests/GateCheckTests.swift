import Foundation
import Testing

@testable import CountersignGate

@Suite("A look at the server of a gate")
struct GateCheckTests {
    private static let unchecked = GateFinding.unchecked(
        "whether the client serves https://photos.example.com (--serves), which only a token for it shows")

    @Test(arguments: [true, false])
    func `finds that sign-ins return to the sites, and writes nothing`(takesPushes: Bool) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        test.server.change { $0.takesPushes = takesPushes }
        #expect(await test.findings() == [Self.unchecked])
        #expect(test.server.count(of: "/par") == (takesPushes ? 2 : 0))
        #expect(!FileManager.default.fileExists(atPath: test.folder.path))
    }

    @Test(arguments: [
        (true, "invalid_request (the redirect_uri is not registered)"),
        (false, "status 400, as for a redirect URI that is not registered"),
    ])
    func `names the site that sign-ins cannot return to`(takesPushes: Bool, reason: String) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        test.server.change { state in
            state.takesPushes = takesPushes
            state.redirectURIs = ["http://localhost/gate/callback"]
        }
        let problem = GateFinding.problem(
            .server, "it refuses sign-ins that return to https://films.example.com/gate/callback: \(reason).",
            advice: "Compare the client's scope and redirect URIs; --redirect-uri replaces all: name every site's.")
        #expect(await test.findings() == [problem, Self.unchecked])
    }

    @Test func `says that the certificate is not trusted, and what to write`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        test.server.change { $0.isUntrusted = true }
        let problem = GateFinding.problem(
            .server, "the certificate of the server is not trusted.",
            advice: "Name the certificate of its authority in ca-file.")
        #expect(await test.findings() == [problem])
    }

    @Test(arguments: [
        (nil, true), (["urn:countersign:acr:passkey", "urn:countersign:acr:number"], true),
        (["urn:countersign:acr:number", "urn:b"], false),
    ])
    func `names a class of a rule that the server does not have, where it says`(
        classes: [String]?, isSupported: Bool
    ) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        test.server.change { $0.supportedClasses = classes }
        let problem = GateFinding.problem(
            .server, "it does not support urn:countersign:acr:passkey, which a rule of http://localhost names in acr.",
            advice: "It supports urn:countersign:acr:number, urn:b.")
        #expect(await test.findings() == (isSupported ? [] : [problem]) + [Self.unchecked])
    }

    @Test func `finds a folder that others may use, and one that is a file`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        let files = FileManager.default
        #expect(test.stateProblems == [])
        try files.createDirectory(at: test.folder, withIntermediateDirectories: true)
        for (mode, isPrivate) in [(0o700, true), (0o750, false), (0o701, false), (0o720, false)] {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: test.folder.path)
            let problems = isPrivate ? [] : ["Others may use FOLDER, which has the keys and sessions."]
            #expect(test.stateProblems == problems, "\(String(mode, radix: 8))")
        }
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: test.folder.path)
        try Data().write(to: test.folder.appending(component: "sessions"))
        #expect(
            test.stateProblems
                == ["The sessions of the gate cannot be kept in FOLDER: FOLDER/sessions is no directory."])
        try files.removeItem(at: test.folder)
        try Data().write(to: test.folder)
        #expect(test.stateProblems == ["The keys of the gate cannot be kept in FOLDER: gate.key: Not a directory."])
    }

    @Test func `says to remove a file without keys`() throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        let files = FileManager.default
        try files.createDirectory(
            at: test.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = test.folder.appending(component: "gate.key").path
        let isWritten = files.createFile(
            atPath: file, contents: Data("{}".utf8), attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
        let problem = GateFinding.problem(
            .state, "\(file) holds no keys.", advice: "Remove it: new ones are made at the next start.")
        #expect(StateCheck(path: test.folder.path).findings == [problem])
    }

    @Test(.enabled(if: geteuid() != 0, "needs a user with limited rights"))
    func `finds a folder that this user cannot write or make`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        let files = FileManager.default
        try files.createDirectory(at: test.folder, withIntermediateDirectories: true)
        try files.setAttributes([.posixPermissions: 0o500], ofItemAtPath: test.folder.path)
        #expect(test.stateProblems == ["The keys of the gate cannot be kept in FOLDER: FOLDER: Permission denied."])
        let below = StateCheck(path: "\(test.folder.path)/a/b").findings
        #expect(below.count == 1 && "\(below)".contains("\(test.folder.path): Permission denied."))
    }
}
