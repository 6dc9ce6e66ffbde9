internal import ArgumentParser
internal import Countersign
internal import CountersignNearby
internal import Foundation
internal import MulticastDNS

/// The phone of ``LinkBenchmark``: listens, and types the codes that it reads.
struct LinkPhone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-phone", abstract: "The phone that is measured.", shouldDisplay: false)

    func run() async throws {
        var limits = ListenerLimits.standard
        limits.questions = 10_000
        let listener = NearbyListener(
            try Self.settings("A phone"), approval: Typist(), discovery: try LocalNetwork.discovery(), limits: limits)
        _ = await listener.openWindow()
        try await listener.run(ready: { port in
            print("listening \(port)")
            fflush(nil)
        })
    }

    /// The settings of an end, which calls itself by this name.
    static func settings(_ name: String) throws -> NearbySettings {
        guard let app = NearbyAppID("countersign-benchmarks"), let name = PeerName(name) else {
            throw BenchmarkFailure("'\(name)' is no name.")
        }
        return NearbySettings(
            app: app, name: name, pairings: MemoryPairingStore(), clock: .system, random: .system)
    }
}

/// A person who has the screen in front of them, types what it shows, and approves.
private struct Typist: NearbyListenerDelegate {
    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation { .seen }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        readLine().flatMap { CodeSpace.standard.code(typed: $0) }
    }

    func decide(_ request: ReceivedRequest) async -> NearbyDecision {
        // Only screens that want it are paired.
        .approve(.bytes([1]), pairs: true)
    }
}
