import Countersign
import CountersignNearby
import CountersignTesting
import Crypto
import Foundation
import NIOConcurrencyHelpers
import Testing

/// Both ends of a nearby link, each against one that was written from `Documentation/NearbyProtocol.md` alone.
@Suite("A nearby link with somebody else's Noise", .timeLimit(.minutes(10)))
struct IndependentNearbyTests {
    private let clock = ManualClock()
    private let app = "net.example.player"

    @Test func `leads from their screen to our phone`() async throws {
        let token = Array("a single-use token".utf8)
        let (phone, shown) = Self.person(granting: token)
        let listener = NearbyListener(
            try settings("Anna's phone"), approval: phone, discovery: nil,
            configuration: NearbyListenerConfiguration(hosts: ["127.0.0.1"]))
        _ = await listener.openWindow()
        let (ports, port) = AsyncStream<UInt16>.makeStream()
        let listening = Task { try await listener.run { port.yield($0) } }
        defer { listening.cancel() }
        var found = ports.makeAsyncIterator()
        let number = try #require(await found.next())
        let ended = try await PythonProgram(name: "nearby_requester_with_noiseprotocol").run(
            with: ["JOURNEY_NEARBY_APP": app, "JOURNEY_NEARBY_PORT": "\(number)"],
            advancing: { _ in },
            answering: { line in
                guard line.hasPrefix("code ") else { return nil }
                shown.yield(String(line.dropFirst(5)))
                return "shown"
            })
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.contains("name Anna's phone"))
        #expect(ended.output.contains("grant \(Self.digest(of: token))"))
        listening.cancel()
        try await listening.value
    }

    @Test func `leads from our screen to their phone`() async throws {
        let screen = Screen()
        let settings = try settings("Living room")
        let (ports, port) = AsyncStream<UInt16>.makeStream()
        let asking = Task {
            var found = ports.makeAsyncIterator()
            guard let number = await found.next(), let purpose = NearbyPurpose("a token for the player") else {
                return NearbyResult.stopped
            }
            return await NearbyRequester(settings, discovery: nil).signIn(
                NearbySignInOptions(.bytes(purpose: purpose)), at: NearbyEndpoint(host: "127.0.0.1", port: number),
                on: screen)
        }
        let ended = try await PythonProgram(name: "nearby_approver_with_noiseprotocol").run(
            with: ["JOURNEY_NEARBY_APP": app],
            advancing: { _ in },
            answering: { line in
                if line.hasPrefix("port "), let number = UInt16(line.dropFirst(5)) {
                    port.yield(number)
                    return "dialled"
                }
                return line == "digits?" ? await screen.code() : nil
            })
        port.finish()
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.contains("purpose a token for the player"))
        guard case .granted(let granted) = await asking.value, case .bytes(let bytes) = granted.grant else {
            Issue.record("nothing was granted")
            return
        }
        #expect(granted.approver.asSaid == "Another phone" && bytes.count == 256_000)
        #expect(ended.output.contains("grant \(Self.digest(of: bytes))"))
    }

    private func settings(_ name: String) throws -> NearbySettings {
        NearbySettings(
            app: try #require(NearbyAppID(app)), name: try #require(PeerName(name)), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
    }

    private static func digest(of bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }

    private static func person(granting token: [UInt8]) -> (Phone, AsyncStream<String>.Continuation) {
        let (codes, shown) = AsyncStream<String>.makeStream()
        return (Phone(token: token, codes: codes), shown)
    }
}

/// A phone whose person sees every screen, and types what is on it.
private struct Phone: NearbyListenerDelegate {
    let token: [UInt8]
    let codes: AsyncStream<String>

    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation { .seen }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        var shown = codes.makeAsyncIterator()
        return await shown.next().flatMap { CodeSpace.standard.code(typed: $0) }
    }

    func decide(_ request: ReceivedRequest) async -> NearbyDecision { .approve(.bytes(token), pairs: false) }
}

/// A screen with a code that somebody reads.
private struct Screen: NearbyRequesterDelegate {
    private let codes: AsyncStream<String>
    private let shown: AsyncStream<String>.Continuation

    init() {
        (codes, shown) = AsyncStream.makeStream()
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async { shown.yield(code.revealed) }

    func takeCodeAway() async {}

    func code() async -> String? {
        var codes = codes.makeAsyncIterator()
        return await codes.next()
    }
}
