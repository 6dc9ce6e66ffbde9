import Testing

@testable import CountersignRequester

@Suite("The request of a browser that comes back")
struct RedirectRequestTests {
    private static let authority = "127.0.0.1:49152"

    private func read(_ text: String) -> RedirectRequest.ReadingResult { RedirectRequest.read(Array(text.utf8)) }

    @Test func `is read up to the end of its head`() {
        let head = "GET /callback?link=a HTTP/1.1\r\nHost: \(Self.authority)\r\nAccept: */*\r\n\r\n"
        let request = RedirectRequest(method: "GET", target: "/callback?link=a", host: Self.authority)
        #expect(read(head) == .request(request))
        #expect(read("\(head)and what follows") == .request(request))
        for length in 0..<head.utf8.count {
            #expect(RedirectRequest.read(Array(head.utf8.prefix(length))) == .incomplete)
        }
        #expect(request.asks(for: "/callback", at: Self.authority))
    }

    @Test(arguments: [
        "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:49152\r\n\r\n",
        "GET /callback/ HTTP/1.1\r\nHost: 127.0.0.1:49152\r\n\r\n",
        "GET /callbacks HTTP/1.1\r\nHost: 127.0.0.1:49152\r\n\r\n",
        "GET /callback HTTP/1.1\r\nHost: localhost:49152\r\n\r\n",
        "GET /callback HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET /callback HTTP/1.1\r\n\r\n",
        "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:49152\r\nHost: evil.example\r\n\r\n",
    ])
    func `asks for something else`(head: String) throws {
        guard case .request(let request) = read(head) else {
            Issue.record("it was not read")
            return
        }
        #expect(!request.asks(for: "/callback", at: Self.authority))
    }

    @Test(arguments: [
        "\r\n\r\n", "GET\r\n\r\n", "GET /callback\r\n\r\n", "GET /callback HTTP/2.0\r\n\r\n",
        "GET http://127.0.0.1/callback HTTP/1.1\r\n\r\n", "GET  /callback HTTP/1.1\r\n\r\n",
        "GET /callback HTTP/1.1\r\nno field\r\n\r\n", "GET /callback HTTP/1.1\r\n: empty\r\n\r\n",
        "GET /callb\u{0}ack HTTP/1.1\r\n\r\n", "GET /callbäck HTTP/1.1\r\n\r\n",
    ])
    func `is refused when it is malformed`(head: String) {
        #expect(read(head) == .malformed)
    }

    @Test func `is refused when its head never ends`() {
        let endless = [UInt8](repeating: UInt8(ascii: "a"), count: RedirectRequest.longest)
        #expect(RedirectRequest.read(endless.dropLast()) == .incomplete)
        #expect(RedirectRequest.read(endless) == .malformed)
        #expect(RedirectRequest.read(endless + endless) == .malformed)
    }

    @Test func `never traps, whatever bytes arrive`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...80, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = RedirectRequest.read(bytes)
            _ = RedirectRequest.read(Array("GET /".utf8) + bytes + Array("\r\n\r\n".utf8))
        }
    }
}
