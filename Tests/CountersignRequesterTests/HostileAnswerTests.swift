#if os(Linux)
import CountersignTesting
import HTTPTypes
import Testing

@testable import CountersignRequester

/// Answers that no honest server sends, over a plain socket. None of them may end the process.
@Suite("A hostile server's answer over HTTP/1.1", .timeLimit(.minutes(10)))
struct HostileAnswerTests {
    /// Texts that stand in the place of a status, and are none.
    static let noStatuses = [
        "-1", "-200", "0", "00", "000", "1", "20", "99", "099", "600", "999", "1000", "2000", "2OO", "OK", "",
        "0x0C8", "1e2", "99999999999999999999", "-9223372036854775808", "18446744073709551616", "२००",
    ]

    @Test(arguments: noStatuses)
    func `with a status that is none is a typed error, after which the next request succeeds`(
        status: String
    ) async throws {
        let acts: [RawServer.Act] = [.close(after: "HTTP/1.1 \(status) x\r\ncontent-length: 0\r\n\r\n")]
        try await RawServer.with(acts + Self.good) { server in
            let error = await #expect(throws: TransportError.self) { try await Self.ask(server) }
            #expect(
                error?.mayHaveArrived == true && error?.isTransient == true, "\(status): \(String(describing: error))")
            #expect(await Self.isStillCalled(server))
        }
    }

    @Test(arguments: [100, 101, 199, 200, 204, 299, 304, 404, 599])
    func `with any status of HTTP is an answer or an error`(status: Int) async throws {
        let head = "HTTP/1.1 \(status) x\r\ncontent-length: 0\r\n\r\n"
        try await RawServer.with([.close(after: head)]) { server in
            let answer = try? await Self.ask(server)
            if status >= 200 { #expect(answer?.response.status.code == status) }
        }
    }

    /// Enough for a request that meets the connection that the server closes.
    private static let good = Array(repeating: RawServer.Act.json("{}"), count: 10)
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "transfer-encoding: chunked\r\n\r\n"

    /// Answers that lie about their form.
    static let broken: [String] = [
        "HTTP/0.9 200 OK\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "\r\n\r\n",
        "\0",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "SSH-2.0-OpenSSH_9.9\r\n", "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
        ok + "no colon\r\n\r\n", ok + ": no name\r\n\r\n", ok + "a b: space\r\n\r\n", ok + "a : space\r\n\r\n",
        ok + "a: b\r\n folded\r\n\r\n", ok + "a: \0\r\n\r\n", ok + ":status: 200\r\n\r\n", ok + "ä: ö\r\n\r\n",
        ok + "a: b\n\n", ok + "a: b\r\r\n\r\n",
        ok + "content-length: -1\r\n\r\n", ok + "content-length: +1\r\n\r\nx", ok + "content-length: 0x1\r\n\r\nx",
        ok + "content-length: 99999999999999999999999\r\n\r\nx", ok + "content-length: 9223372036854775807\r\n\r\nx",
        ok + "content-length: 18446744073709551615\r\n\r\nx", ok + "content-length: 1, 2\r\n\r\nx",
        ok + "content-length: 1\r\ncontent-length: 2\r\n\r\nxy", ok + "content-length: 1\r\n\r\nxyz",
        ok + "content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        ok + "transfer-encoding: gzip\r\n\r\nx", ok + "transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        chunked + "FFFFFFFFFFFFFFFF\r\nx", chunked + "FFFFFFFFFFFFFFFFF\r\nx", chunked + "7FFFFFFFFFFFFFFF\r\nx",
        chunked + "-1\r\nx\r\n", chunked + "zz\r\n",
        chunked + "1;\(String(repeating: "a", count: 70_000))\r\nx\r\n0\r\n\r\n",
        chunked + "1\r\nxx\r\n0\r\n\r\n", chunked + "0\r\nstatus: 2000\r\n:status: -1\r\n\r\n",
        chunked + "0\r\n" + String(repeating: "t: x\r\n", count: 70_000) + "\r\n",
        "HTTP/1.1 204 x\r\ncontent-length: 5\r\n\r\nhello", "HTTP/1.1 304 x\r\ntransfer-encoding: chunked\r\n\r\n5\r\n",
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 5000), "HTTP/1.1 101 x\r\nupgrade: h2c\r\n\r\n\0\0\0",
        "HTTP/1.1 103 x\r\nlink: </a>\r\n\r\n" + ok + "content-length: 0\r\n\r\n",
        ok + String(repeating: "a: b\r\n", count: 70_000) + "\r\n",
        ok + "a: \(String(repeating: "b", count: 3_000_000))\r\n\r\n",
        "HTTP/1.1 200 \(String(repeating: "O", count: 3_000_000))K\r\n\r\n",
        ok + "retry-after: 99999999999999999999\r\ndate: Thu, 99 Jan 99999 99:99:99 GMT\r\ncontent-length: 0\r\n\r\n",
        ok + "content-length: 0\r\n\r\n" + ok + "content-length: 0\r\n\r\n",
    ]

    @Test(arguments: broken.indices)
    func `of a broken form is an error or an answer, and nothing else`(index: Int) async throws {
        try await RawServer.with([.close(after: Self.broken[index])] + Self.good) { server in
            let outcome = await Self.outcome(of: server)
            if case .success(let answer) = outcome { #expect((100...599).contains(answer.response.status.code)) }
            #expect(await Self.isStillCalled(server))
        }
    }

    /// Sends good answers with random changes through the whole client; a seed that fails is named by its test.
    @Test(arguments: 0..<8)
    func `changed by chance is an error or an answer`(seed: Int) async throws {
        let random = SeededRandom(seed: UInt64(seed))
        let acts = (0..<60).map { _ in RawServer.Act.close(after: Self.changed(by: random)) }
        try await RawServer.with(acts) { server in
            var answered = 0
            for _ in acts {
                guard case .success(let answer) = await Self.outcome(of: server) else { continue }
                answered += 1
                #expect((100...599).contains(answer.response.status.code))
            }
            #expect(0 < answered && answered < acts.count)
        }
    }

    private static let seeds = [
        ok + "content-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
        chunked + "2\r\n{}\r\n0\r\nx: y\r\n\r\n",
        "HTTP/1.1 103 x\r\na: b\r\n\r\nHTTP/1.1 429 x\r\nretry-after: 5\r\nconnection: close\r\n\r\nbody",
    ]
    private static let words = [
        "\0", "\r\n", "\r\n\r\n", ":", " ", "-1", "FFFFFFFFFFFFFFFF", "9999999999", "\u{FF}", "HTTP/",
    ]

    private static func changed(by random: SeededRandom) -> String {
        var bytes = Array(seeds[number(random, below: seeds.count)].utf8)
        for _ in 0...number(random, below: 3) {
            let place = number(random, below: bytes.count)
            switch number(random, below: 4) {
            case 0: bytes[place] = UInt8(number(random, below: 128))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: words[number(random, below: words.count)].utf8, at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + number(random, below: 8)))
            }
            if bytes.isEmpty { bytes = [0x20] }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func number(_ random: SeededRandom, below bound: Int) -> Int {
        Int(random.next() % UInt64(bound))
    }

    private static func ask(_ server: RawServer) async throws -> HTTPAnswer {
        let request = HTTPRequest(method: .post, scheme: "http", authority: server.place, path: "/token")
        return try await AsyncHTTPTransport().send(request, body: [0x61], within: .seconds(86_400))
    }

    /// Whether a later request gets its answer; one that meets the connection that the server closes is sent again.
    private static func isStillCalled(_ server: RawServer) async -> Bool {
        for _ in 0..<10 where (try? await ask(server))?.response.status == .ok { return true }
        return false
    }

    private static func outcome(of server: RawServer) async -> Result<HTTPAnswer, any Error> {
        do { return .success(try await ask(server)) } catch {
            #expect(error is TransportError, "\(error)")
            return .failure(error)
        }
    }
}
#endif
