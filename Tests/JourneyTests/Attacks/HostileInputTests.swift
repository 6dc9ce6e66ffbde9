import CountersignServer
import CountersignWire
import Foundation
import Testing

/// Every address of the server meets everything that a client must not send.
@Suite("What no client should send", .timeLimit(.minutes(20)))
struct HostileInputTests {
    @Test func `gets a clean refusal from every endpoint and page, and none of them is the worse for it`() async throws
    {
        try await JourneyServer.with(configuring: { $0.connections = .impatient }) { server in
            let paths = await server.paths
            #expect(paths.count > 15)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, path) in paths.enumerated() {
                    if number >= 4 { try await group.next() }
                    group.addTask { try await Self.attack(path, on: server.port) }
                }
                try await group.waitForAll()
            }
            try await Self.expectGoodManners(of: server)
        }
    }

    @Test func `is never taken for a second request`() async throws {
        try await JourneyServer.with(configuring: { $0.connections = .impatient }) { server in
            let hidden = "GET /jwks HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
            let start =
                "POST /token HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n"
            let smuggled = [
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(hidden)",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n\(hidden)",
                "Content-Length: 0\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)",
                "Content-Length: +0\r\n\r\n\(hidden)",
                "Transfer-Encoding: xchunked\r\n\r\n\(hidden)",
                "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n\(hidden)",
                "Transfer-Encoding: chunked\r\n\r\n0\n\r\n\(hidden)",
                "Transfer-Encoding: chunked\r\n\r\n0\r\nX\r\n\r\n\(hidden)",
                "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n\(hidden)",
                "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(hidden)",
                "Content-Length: 9999\r\n\r\n\(hidden)",
            ]
            for rest in smuggled {
                let heard = try await RawConnection.exchange(
                    Array((start + rest).utf8), with: server.port, untilClosed: true)
                #expect(heard.isClosed, "\(rest.debugDescription)")
                #expect(heard.answers.count <= 1, "\(rest.debugDescription)")
                #expect(heard.answers.allSatisfy { (400..<500).contains($0.status) }, "\(rest.debugDescription)")
            }
        }
    }

    @Test func `leaves the memory as it was`() async throws {
        try await JourneyServer.with(configuring: { $0.connections = .impatient }) { server in
            let host = "127.0.0.1:\(server.port)"
            let messages = ["/token", "/login", "/nowhere"].flatMap { HostileMessages.all(to: $0, at: host) }
            /// Returns how many of the messages were answered.
            func attack(_ times: Int) async -> Int {
                var answered = 0
                for _ in 0..<times {
                    answered += await withTaskGroup(of: Bool.self) { group in
                        var answered = 0
                        for (number, message) in messages.enumerated() {
                            if number >= 16, await group.next() == true { answered += 1 }
                            group.addTask {
                                let heard = try? await RawConnection.exchange(message.bytes, with: server.port)
                                return heard?.final != nil
                            }
                        }
                        for await isAnswered in group where isAnswered { answered += 1 }
                        return answered
                    }
                }
                return answered
            }
            #expect(await attack(1) > 0)
            let before = try Memory.resident()
            #expect(await attack(3) > 0)
            let after = try Memory.resident()
            // Each round sends some 40 MB: were any of it kept, it would show.
            #expect(after - before < 64 << 20, "it grew from \(before >> 20) MiB to \(after >> 20) MiB")
        }
    }

    /// Sends everything to one address, and expects that it answers afterwards as it did before.
    private static func attack(_ path: String, on port: Int) async throws {
        let form = try await form(of: path, at: port)
        // Bodies are read by one piece of code for all addresses: a chunk for each byte is tried at one of them.
        let chunkSize = path.hasSuffix("/token") ? 1 : 10
        let messages = HostileMessages.all(to: path, at: "127.0.0.1:\(port)", chunkSize: chunkSize)
        await withTaskGroup(of: Void.self) { group in
            for (number, message) in messages.enumerated() {
                // A few at once, or those that the server waits for would take their time one after another.
                if number >= 8 { await group.next() }
                group.addTask { await expectRefusal(of: message, at: path, in: form, on: port) }
            }
        }
        #expect(try await Self.form(of: path, at: port) == form)
    }

    /// The media type of an address's refusals.
    private static func form(of path: String, at port: Int) async throws -> String {
        let request = "OPTIONS \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        var heard = try await RawConnection.exchange(Array(request.utf8), with: port)
        // On a busy machine it may take longer to send it than this server is patient.
        for _ in 0..<50 where heard.answers.isEmpty {
            heard = try await RawConnection.exchange(Array(request.utf8), with: port)
        }
        let answer = try #require(heard.answers.first)
        #expect(answer.status == 405, "\(path)")
        let type = try #require(answer["Content-Type"], "\(path)")
        let forms = ["application/json", "application/json; charset=utf-8", "text/html; charset=utf-8"]
        #expect(forms.contains(type), "\(path)")
        return type
    }

    private static func expectRefusal(
        of message: HostileMessage,
        at path: String,
        in form: String,
        on port: Int
    ) async {
        let what: Comment = "\(path): \(message)"
        let form =
            if message.isForFirstPage {
                "text/html; charset=utf-8"
            } else if message.isForNoPath {
                "application/json"
            } else {
                form
            }
        do {
            let heard = try await RawConnection.exchange(message.bytes, with: port)
            guard let answer = heard.final else {
                #expect(heard.isClosed && heard.rest.isEmpty, what)
                return
            }
            // Every form that can be read, an empty one too, may ask for the end of a session; then the person is
            // asked.
            if path == "/end_session", answer.status == 303 { return }
            #expect((message.mayPass ? 200..<500 : 400..<500).contains(answer.status), "\(what): \(answer.status)")
            #expect(answer["Set-Cookie"]?.contains("a=b") != true, what)
            guard answer.status >= 400 else { return }
            if answer.body.isEmpty {
                // Nothing in it could be read, or the challenge in a header says it all.
                #expect(answer["Connection"] == "close" || answer["WWW-Authenticate"] != nil, what)
            } else if answer.status == 404, answer["Content-Type"] == "text/html; charset=utf-8" {
                // There is no such page.
            } else {
                // The older dialect has a form of its own for errors, and says so, too, when there is no such request.
                let isOlder = path.hasPrefix("/auth/v1.0") || path.hasPrefix("/authenticator/v1.0")
                #expect(answer.status != 404 || isOlder, what)
                // An unreadable request has no path, so its refusal may have the default form.
                #expect([form, "application/json"].contains(answer["Content-Type"]), what)
                let member = isOlder ? "\"message\":\"" : "\"error\":\""
                // Refusals by the connection itself have the common form.
                let isCommon = answer.body.contains("\"error\":\"")
                #expect(form.hasPrefix("text/html") || isCommon || answer.body.contains(member), what)
            }
        } catch {
            Issue.record("\(path): \(message): \(error)")
        }
    }

    /// Somebody with manners is served as ever.
    private static func expectGoodManners(of server: JourneyServer) async throws {
        let screen = JourneyScreen(at: server.issuer)
        let codes = try await screen.ask()
        let visitor = JourneyVisitor(at: server.issuer)
        try await visitor.signIn(as: .anna)
        try await visitor.decide(.approve, on: codes.userCode)
        _ = try await screen.poll(codes).tokens
    }
}

extension ConnectionLimits {
    /// Limits that a test need not wait for long.
    static let impatient = ConnectionLimits(longestSilence: 0.5, longestRequest: 0.5, longestStall: 0.5)
}

/// The memory of this process.
enum Memory {
    struct Unknown: Error {}

    /// The resident set in bytes. Standard: proc_pid_statm(5).
    static func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw Unknown() }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
