#if os(Linux)
import CountersignTransport
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

@Suite("The port that a browser comes back to", .timeLimit(.minutes(10)))
struct RedirectListenerTests {
    private func get(_ path: String, at listener: RedirectListener, _ method: HTTPRequest.Method = .get) async throws
        -> HTTPAnswer
    {
        let authority = listener.redirectURI.dropFirst("http://".count).prefix { $0 != "/" }
        let request = HTTPRequest(method: method, scheme: "http", authority: String(authority), path: path)
        return try await AsyncHTTPTransport().send(request, body: [], within: .seconds(600))
    }

    @Test func `gives the person a page, and the app the address`() async throws {
        let listener = try await RedirectListener.start { $0.hasSuffix("?state=good") }
        #expect(listener.redirectURI.hasPrefix("http://127.0.0.1:") && listener.redirectURI.hasSuffix("/callback"))
        let answer = try await get("/callback?state=good", at: listener)
        #expect(answer.response.status == .ok)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(page.contains("You can close this page") && !page.contains("good"))
        #expect(answer.response.headerFields[.cacheControl] == "no-store")
        for await address in listener.returns {
            #expect(address == "\(listener.redirectURI)?state=good")
            break
        }
        await listener.stop()
    }

    @Test func `answers nothing else`() async throws {
        let asked = NIOLockedValueBox<[String]>([])
        let listener = try await RedirectListener.start { address in
            asked.withLockedValue { $0.append(address) }
            return address.hasSuffix("?state=good")
        }
        for path in ["/", "/callback/?state=good", "/other?state=good", "/callback?state=bad%3Cscript%3E"] {
            let answer = try await get(path, at: listener)
            #expect(answer.response.status == .notFound)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("script"))
        }
        #expect(try await get("/callback?state=good", at: listener, .post).response.status == .notFound)
        #expect(asked.withLockedValue(\.self) == ["\(listener.redirectURI)?state=bad%3Cscript%3E"])
        await listener.stop()
    }

    @Test func `ends its sequence, and frees its port`() async throws {
        let listener = try await RedirectListener.start { _ in true }
        let port = try #require(UInt16(listener.redirectURI.split(separator: ":")[2].prefix { $0 != "/" }))
        await #expect(throws: SignInError(.browserNotOpened, because: "")) {
            _ = try await RedirectListener.start(port: port) { _ in true }
        }
        await listener.stop()
        for await _ in listener.returns {}
        try await listeningAgain(on: port).stop()
    }

    /// Listens, once the listener of before is gone for good: a program that another test starts at that moment has a
    /// copy of every socket until it begins.
    private func listeningAgain(on port: UInt16) async throws -> RedirectListener {
        while true {
            let listener = try? await RedirectListener.start(port: port) { _ in true }
            if let listener { return listener }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
#endif
