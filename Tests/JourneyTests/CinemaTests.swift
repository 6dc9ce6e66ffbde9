import CountersignTransport
import Foundation
import HTTPTypes
import Testing

/// The apps of an example without any server of ours, as programs on this machine.
@Suite("The cinema of the examples", .serialized, .timeLimit(.minutes(10)))
struct CinemaTests {
    @Test func `lets a TV in by a ticket from the phone nearby, which nobody can use again`() async throws {
        try await atCinema { fixture in
            let (phone, screen) = (try fixture.phone(), try fixture.screen())
            _ = try await phone.said("A screen that calls itself ‘Living room TV’ wants to be signed in.")
            phone.type("yes")
            phone.type(String(try await screen.said("Type ").prefix(7)))
            _ = try await phone.said("Let it play films in your name?")
            phone.type("yes")
            let ended = try await screen.ended()
            #expect(ended.status == 0, "\(ended.printed)")
            #expect(ended.printed.contains("Welcome, Anna!"))
            let ticket = try await screen.said("Anna's phone gave the ticket ")
            let again = try await LoopbackHTTP.post(
                body: Data(ticket.utf8),
                of: "text/plain",
                to: "http://\(fixture.address)/redeem"
            )
            #expect(again.response.status == .gone)
        }
    }

    @Test func `is told when the person says no`() async throws {
        try await atCinema { fixture in
            let (phone, screen) = (try fixture.phone(), try fixture.screen())
            _ = try await phone.said("A screen")
            phone.type("yes")
            phone.type(String(try await screen.said("Type ").prefix(7)))
            _ = try await phone.said("Let it play films in your name?")
            phone.type("no")
            let ended = try await screen.ended()
            #expect(ended.status == 1 && ended.printed.contains("It did not work: The phone said no."))
        }
    }

    private struct Fixture {
        let address: String
        let session: String
        let directory: URL

        func phone() throws -> ExampleProgram {
            try ExampleProgram(
                "Cinema",
                ["phone", "http://\(address)", session, "lo"],
                reading: nil,
                in: directory
            )
        }

        func screen() throws -> ExampleProgram {
            try ExampleProgram("Cinema", ["screen", "http://\(address)", "lo"], in: directory)
        }
    }

    private func atCinema(_ body: @Sendable (Fixture) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(component: "countersign-cinema-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let service = try ExampleProgram("Cinema", ["service", "127.0.0.1:0"], in: directory)
        defer { service.stop() }
        let session = try await service.said("Anna's phone is signed in with ")
        let address = try await service.said("The cinema answers at http://")
        try await body(Fixture(address: address, session: session, directory: directory))
    }
}
