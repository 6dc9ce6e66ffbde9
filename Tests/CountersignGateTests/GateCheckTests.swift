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
        #expect(try await test.findings() == [Self.unchecked])
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
        let problems = try await test.findings().compactMap { finding -> String? in
            if case .problem(let problem, _) = finding { problem } else { nil }
        }
        #expect(
            problems == ["it refuses sign-ins that return to https://films.example.com/gate/callback: \(reason)"])
    }

    @Test func `says that the certificate is not trusted, and what to write`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        test.server.change { $0.isUntrusted = true }
        let problem = GateFinding.problem(
            "the certificate of the server is not trusted",
            advice: "Name the certificate of its authority in ca-file.")
        #expect(try await test.findings() == [problem])
    }
}
