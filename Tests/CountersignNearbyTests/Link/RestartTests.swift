import Countersign
import CountersignTesting
import Foundation
import Testing

@testable import CountersignNearby

@Suite("A phone that is started again after three wrong codes")
struct RestartTests {
    private let clock = ManualClock(Fixture.noon)

    private func coordinator(app: String = "net.example.player", in directory: URL) throws -> ListenerCoordinator {
        let settings = NearbySettings(
            app: try Fixture.app(app), name: try Fixture.name("Anna's phone"),
            pairings: FilePairingStore(path: directory.appendingPathComponent("pairings").path),
            clock: clock.source, random: .system)
        return ListenerCoordinator(settings: settings, approval: ScriptedPerson(), limits: .standard)
    }

    @Test func `keeps its window closed for as long as if it had gone on`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("pairings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = try coordinator(in: directory)
        #expect(await first.openWindow() == nil)
        for number in 1...3 { await first.miss(by: ConnectionID(UInt64(number))) }

        let again = try coordinator(in: directory)
        #expect(await again.openWindow() == clock.instant + .seconds(300))
        #expect(await !again.isWindowOpen)
        #expect(try await coordinator(app: "net.example.other", in: directory).openWindow() == nil)
        clock.advance(by: .seconds(299))
        #expect(try await coordinator(in: directory).openWindow() != nil)
        clock.advance(by: .seconds(1))
        #expect(await again.openWindow() == nil)
        #expect(try await coordinator(in: directory).openWindow() == nil)
    }

    @Test func `waits no longer than that when its clock was set back`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("pairings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = try coordinator(in: directory)
        _ = await first.openWindow()
        for number in 1...3 { await first.miss(by: ConnectionID(UInt64(number))) }
        clock.setDate(Fixture.noon - 86_400)
        #expect(try await coordinator(in: directory).openWindow() == clock.instant + .seconds(300))
    }
}
