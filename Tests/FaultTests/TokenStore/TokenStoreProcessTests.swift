import Countersign
import CountersignRequester
import CountersignWire
import Foundation
import Testing

@Suite("A token store used by several processes", .timeLimit(.minutes(10)))
final class TokenStoreProcessTests {
    let place: URL

    init() throws {
        place = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-tokens-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: place)
    }

    @Test func `keeps whole what was saved when one is killed in the middle of writing, 200 times`() async throws {
        let other = TokenStoreKey(.signIn, "other")
        try await store.save(Array("untouched".utf8), for: other)
        var last = 0
        for round in 0..<200 {
            let child = try ChildProcess("count", directory, in: place)
            try await child.said()
            // Over the rounds, at many places of the way from one saved number to the next.
            try await Task.sleep(for: .microseconds(round * 397 % 20_000))
            child.kill()
            let said = try #require(child.lines.last.flatMap { Int($0) }, "\(child.lines)")
            let kept = try #require(try await number("number"))
            // The number that was reported as saved is there; the one after it may be.
            #expect(kept == said || kept == said + 1)
            #expect(said > last)
            #expect(try await store.load(other) == Array("untouched".utf8))
            last = kept
        }
        #expect(try await store.keys().count == 2)
    }

    @Test func `makes one request for all that renew at the same time`() async throws {
        let server = try await RenewingServer.start(knowing: "refresh-1")
        let key = TokenStoreKey.signIn(at: try Issuer(server.issuer), as: ClientID("radio"))
        try await store.save(Self.ending, for: key)
        let children = try (1...4).map { _ in try ChildProcess("renew", directory, server.issuer, in: place) }
        for child in children { try await child.said("ready") }
        for child in children { child.begin() }
        for child in children { try await child.ended() }
        #expect(children.map { $0.lines.last } == Array(repeating: "access-for-refresh-2", count: 4))
        #expect(server.presented == ["refresh-1"])
        #expect(try await store.signedIn(for: key)?.refreshToken == RefreshToken(revealing: "refresh-2"))
    }

    @Test func `makes one key, and loses no change, when they begin at the same time`() async throws {
        let children = try (1...4).map { _ in try ChildProcess("add", directory, "10", in: place) }
        for child in children { try await child.said("ready") }
        for child in children { child.begin() }
        for child in children { try await child.ended() }
        #expect(try await number("sum") == 40)
        #expect(try await store.keys().count == 5)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        #expect(files == ["default.sealed", "key"])
    }

    @Test(.enabled(if: PrivateMounts.areAllowed, "needs mount namespaces"))
    func `keeps what was saved when the disk is full, and says so`() async throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let small = PrivateMounts.shell("mount -t tmpfs -o size=256k none \(directory)")
        let child = try ChildProcess("fill", directory, in: place, wrapper: small)
        try await child.ended()
        #expect(child.lines == ["notWritten, kept", "saved"])
    }

    @Test func `gives the turn to another when the process that had it is killed`() async throws {
        let child = try ChildProcess("hold", directory, in: place)
        try await child.said("held")
        let impatient = SealedFileTokenStore(
            directory: directory,
            lockTimeout: .milliseconds(100),
            clock: .system,
            drawingFrom: .system
        )
        let key = TokenStoreKey(.signIn, "held")
        // It hangs: nobody waits for it for ever, but nobody goes ahead of it.
        let error = await #expect(throws: TokenStoreError.self) { try await impatient.exclusively(for: key) {} }
        #expect(error?.code == .busy)
        #expect(error?.reason.contains("process \(child.number)") == true)
        child.kill()
        #expect(try await impatient.exclusively(for: key) { true })
    }
}

extension TokenStoreProcessTests {
    private var directory: String { place.appendingPathComponent("tokens").path }
    private var store: SealedFileTokenStore { SealedFileTokenStore(directory: directory) }

    /// A sign-in with an access token that ended long ago.
    private static let ending = CompletedSignIn(
        accessToken: AccessToken(revealing: "access-1"),
        refreshToken: RefreshToken(revealing: "refresh-1"),
        expires: Date(timeIntervalSince1970: 1_700_000_000),
        scope: .none,
        identity: nil
    )

    private func number(_ name: String) async throws -> Int? {
        try await store.load(TokenStoreKey(.signIn, name)).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}
