import CommandFixture
import Foundation
import TestShell
import Testing

@Suite("The README")
struct ReadmeTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")

    /// The lines of its blocks for a shell, each with those that continue it.
    private static func lines() throws -> [String] {
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n```")
        // Every second part is between two fences; a block for a shell names no language.
        let shell = stride(from: 1, to: blocks.count, by: 2).map { blocks[$0] }.filter { $0.hasPrefix("\n") }
        return shell.flatMap { $0.replacing("\\\n", with: "").split(separator: "\n").map(String.init) }
    }

    @Test func `leads a newcomer to a TV that asks, with the lines that it shows`() async throws {
        let command = try CommandUnderTest()
        let lines = try Self.lines()
        let registering = lines.filter {
            $0.hasPrefix("countersign admin") || $0.contains("| countersign admin user add")
        }
        #expect(registering.count == 4, "\(registering)")
        for line in registering {
            let outcome = try await command.run(line)
            #expect(outcome.status == 0, "\(line): \(outcome.output)")
        }
        #expect(lines.contains("countersign serve"))
        let serving = try command.start("exec countersign serve --listen 127.0.0.1:0")
        let base = "http://\(try await serving.addresses().listening)"
        func here(_ line: String) -> String { line.replacing("http://127.0.0.1:8080", with: base) }

        let asking = try #require(lines.first { $0.hasPrefix("curl") && $0.contains("device_authorization") })
        let codes = try await command.run(here(asking) + " --silent").output
        let code = try #require(codes.firstMatch(of: /"device_code":"([^"]+)"/), "\(codes)").1
        let polling = try #require(lines.first { $0.hasPrefix("curl") && $0.contains("device_code=…") })
        let poll = here(polling).replacing("device_code=…", with: "device_code=\(code)").replacing(
            "wait=30", with: "wait=1")
        #expect(try await command.run(poll + " --silent").output.contains("authorization_pending"), "\(poll)")

        let signins = lines.filter { $0.hasPrefix("countersign signin --issuer") && $0.contains("--client tv") }
        #expect(signins.count == 2, "\(signins)")
        for line in signins {
            // The code alone: no phone of another test that is nearby is looked for.
            let way = line.replacing(" --pair --interface lo", with: "")
            let screen = try command.start("exec \(here(way)) --only code --yes")
            _ = try await screen.printed { $0.contains("\(base)/activate") }
            screen.signal(SIGINT)
            #expect(try await screen.finish().status == 130)
        }
        serving.signal(SIGTERM)
        _ = try await serving.finish()
    }

    @Test func `shows clients in its table as they can be registered`() async throws {
        let command = try CommandUnderTest()
        let rows = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("| ")
        }
        let adding = rows.compactMap { $0.firstMatch(of: /`(?:countersign admin|…) (client add [^`]+)`/)?.1 }
        #expect(adding.count == 4, "\(adding)")
        for words in adding {
            let outcome = try await command.run("countersign admin \(words)")
            #expect(outcome.status == 0, "\(words): \(outcome.output)")
        }
    }
}
