import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import NIOCore
import Testing

/// Both programs of the folder Examples at the real server: two services that it knows, and one that it does not.
@Suite("The radio of the examples", .serialized, .timeLimit(.minutes(10)))
struct RadioListenerTests {
    @Test func `listens as itself, and is told the same the next time`() async throws {
        try await atServices { fixture in
            let first = try await fixture.listen(to: fixture.news)
            #expect(first.status == 0)
            #expect(first.printed.contains("\(fixture.news) takes tokens of Radio ID."))
            #expect(first.printed.contains("The token is the radio's own."))
            #expect(first.printed.contains("\(fixture.news) plays a song for everybody"))

            let second = try await fixture.listen(to: fixture.news)
            #expect(second.printed.contains("It is the one before."))
            let third = try await fixture.listen(to: fixture.news, "renew")
            #expect(third.printed.contains("It is a new one."))
            #expect(third.printed.contains("\(fixture.news) plays a song for everybody"))
        }
    }

    @Test func `listens for a person, at the second service without asking again`() async throws {
        try await atServices { fixture in
            let radio = try fixture.radio(at: fixture.news, "person")
            let invitation = try await radio.said("Go to ")
            #expect(invitation.hasPrefix("\(fixture.server.issuer)/cpa/verify and type "))
            try await fixture.approve(try #require(invitation.split(separator: " ").last?.dropLast()))
            let ended = try await radio.ended()
            #expect(ended.status == 0)
            #expect(ended.printed.contains("Thank you."))
            #expect(ended.printed.contains("The token is that of Anna Example."))
            #expect(ended.printed.contains("\(fixture.news) plays a song for Anna Example"))

            let music = try await fixture.listen(to: fixture.music, "person")
            #expect(!music.printed.contains("Go to"))
            #expect(music.printed.contains("\(fixture.music) plays a song for Anna Example"))
            let renewed = try await fixture.listen(to: fixture.news, "person", "renew")
            #expect(!renewed.printed.contains("Go to"))
            #expect(renewed.printed.contains("It is a new one."))
        }
    }

    @Test func `shows the code as it is told to`() async throws {
        try await atServices { fixture in
            let radio = try fixture.radio(at: fixture.music, "person", "banner")
            let shown = try await radio.said("*  ")
            try await fixture.approve(shown.split(separator: "*")[0].filter { $0 != " " })
            let ended = try await radio.ended()
            #expect(ended.status == 0)
            #expect(ended.printed.contains("* * *"))
            #expect(!ended.printed.contains("Go to"))
        }
    }

    @Test func `gets no token for a service that the provider does not know`() async throws {
        try await atServices { fixture in
            for words in [[], ["person"]] {
                let ended = try await fixture.listen(to: fixture.stranger, words)
                #expect(ended.status == 1)
                #expect(ended.printed.contains("It did not work"))
                #expect(!ended.printed.contains("plays a song"))
            }
        }
    }

    // MARK: Fixture

    private struct Fixture {
        let server: JourneyServer
        let directory: URL
        let news: String
        let music: String
        let stranger: String

        func radio(at domain: String, _ words: String...) throws -> ExampleProgram {
            try radio(at: domain, words)
        }

        func listen(to domain: String, _ words: String...) async throws -> (status: Int32, printed: String) {
            try await listen(to: domain, words)
        }

        func listen(to domain: String, _ words: [String]) async throws -> (status: Int32, printed: String) {
            try await radio(at: domain, words).ended()
        }

        private func radio(at domain: String, _ words: [String]) throws -> ExampleProgram {
            let tokens = directory.appending(component: "radio").path
            return try ExampleProgram("RadioListener", [domain, tokens] + words, in: directory)
        }

        func approve(_ code: some StringProtocol) async throws {
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: UserCodeText(String(code)))
        }
    }

    private func atServices(_ body: @Sendable (Fixture) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(component: "countersign-example-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // A service is called by its port, so the server has to know the ports before anybody listens.
        let ports = try (1...3).map { _ in try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0)) }
        defer { withExtendedLifetime(ports) {} }
        let domains = ports.map { "127.0.0.1:\($0.number)" }
        let (news, music, stranger) = (domains[0], domains[1], domains[2])

        try await JourneyServer.with { server in
            let created = server.clock.date
            try await server.change { repositories in
                for name in [news, music] {
                    try repositories.domains.insert(
                        ServiceDomain(
                            name: Domain(name),
                            displayName: "Radio \(name)",
                            credential: SecretDigest(of: "credential-of-\(name.suffix(5))"),
                            signOn: .automatic,
                            group: "radio",
                            created: created
                        )
                    )
                }
            }
            let lines = domains.map { "\($0) credential-of-\($0.suffix(5))\n" }
            let services = try ExampleProgram(
                "RadioServices",
                [server.issuer.appending("cpa")],
                reading: lines.joined(),
                in: directory
            )
            defer { services.stop() }
            for domain in domains { try await ExampleProgram.answers(domain) }
            try await body(
                Fixture(server: server, directory: directory, news: news, music: music, stranger: stranger)
            )
        }
    }
}
