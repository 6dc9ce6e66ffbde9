import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("The iteration over a sign-in", .timeLimit(.minutes(10)))
struct SignInIterationTests {
    @Test func `ends with the person and the tokens, and asks once who it is`() async throws {
        let server = try ScriptedServer()
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let store = MemoryTokenStore()
        let result = await server.signIn(for: ScriptedServer.openid, keepingTokensIn: store).iterated()
        #expect(result.error == nil && result.finals == 1)
        #expect(result.signedIn?.identity?.displayName == "Anna")
        #expect(result.signedIn?.idToken != nil)
        #expect(result.events.count { if case .confirming = $0 { true } else { false } } == 1)
        let kept = try await store.signedIn(for: server.signInKey)
        #expect(kept == result.signedIn && kept?.idToken == result.signedIn?.idToken)
        #expect(server.withdrawn.isEmpty)
    }

    @Test func `throws when the person is another one, and gives the tokens back`() async throws {
        let server = try ScriptedServer()
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let result = await server.signIn(for: ScriptedServer.openid).iterated(answering: .notMe)
        #expect(result.error == SignInError(.notMe, because: "") && result.finals == 1)
        #expect(server.revoked == ["refresh-1", "access-1"])
    }

    @Test func `sends nothing before the first event is asked for`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let signIn = server.signIn()
        var iterator = signIn.makeAsyncIterator()
        #expect(server.transport.sent().isEmpty)
        #expect(try await iterator.next() == .discovering)
    }

    @Test func `is over after its last event`() async throws {
        let server = try ScriptedServer(.error(.accessDenied))
        let signIn = server.signIn()
        var iterator = signIn.makeAsyncIterator()
        var error: SignInError?
        while error == nil {
            do {
                _ = try #require(try await iterator.next())
            } catch let thrown as SignInError {
                error = thrown
            }
        }
        #expect(error == SignInError(.denied, because: ""))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test(arguments: 0..<5)
    func `has exactly one end when its task is cancelled at any event`(place: Int) async throws {
        let server = try ScriptedServer()
        server.allow([.code])
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let signIn = server.signIn(for: ScriptedServer.openid)
        let task = Task { () -> (finals: Int, error: SignInError?) in
            var iterator = signIn.makeAsyncIterator()
            var (events, finals, error) = (0, 0, SignInError?.none)
            while true {
                do {
                    guard let event = try await iterator.next() else { return (finals, error) }
                    if case .signedIn = event { finals += 1 }
                    if events == place { withUnsafeCurrentTask { $0?.cancel() } }
                    if case .confirming(let question) = event { question.answer(.continue) }
                    events += 1
                } catch let thrown {
                    finals += 1
                    error = thrown as? SignInError
                }
            }
        }
        let (finals, error) = await task.value
        #expect(finals == 1)
        #expect(error == nil || error == SignInError(.cancelled, because: ""))
        // Whatever was issued is in nobody's hands.
        let isGranted = !server.transport.sent(to: "/token").isEmpty
        if error != nil, !isGranted, !server.asked.isEmpty { #expect(server.withdrawn == ["first-code"]) }
        if error != nil, isGranted {
            let isGivenBack = server.revoked == ["refresh-1", "access-1"] || server.withdrawn == ["first-code"]
            #expect(isGivenBack)
        }
    }

    @Test func `withdraws the request when it is left`() async throws {
        let server = try ScriptedServer(.silence)
        server.allow([.code])
        for try await event in server.signIn() {
            if case .invitation = event { break }
        }
        await server.transport.requests(1, to: "/revoke")
        #expect(server.withdrawn == ["first-code"])
    }

    @Test func `withdraws nothing at a server that names no ways`() async throws {
        let server = try ScriptedServer(.silence)
        let signIn = server.signIn()
        let task = Task { await signIn.iterated() }
        await server.transport.requests(to: "/token")
        task.cancel()
        #expect(await task.value.error == SignInError(.cancelled, because: ""))
        #expect(server.revoked.isEmpty)
    }

    @Test func `withdraws nothing that the server has decided`() async throws {
        for end in [OAuthError.Code.accessDenied, .expiredToken] {
            let server = try ScriptedServer(.error(end))
            server.allow([.code])
            #expect(await server.signIn().iterated().finals == 1)
            #expect(server.withdrawn.isEmpty)
        }
    }

    @Test func `withdraws the request when the server's answer makes no sense`() async throws {
        let server = try ScriptedServer(.text("<html>", type: "text/html"))
        server.allow([.code])
        #expect(await server.signIn().iterated().error == SignInError(.badAnswer, because: ""))
        #expect(server.withdrawn == ["first-code"])
    }

    @Test func `is one sign-in each time`() async throws {
        let server = try ScriptedServer(.error(.accessDenied), ScriptedServer.granted())
        let signIn = server.signIn()
        #expect(await signIn.iterated().error == SignInError(.denied, because: ""))
        #expect(await signIn.iterated().signedIn != nil)
    }

    @Test(arguments: SignInWay.allCases.filter { $0 != .code })
    func `refuses a way that the screen cannot take, before anything is sent`(way: SignInWay) async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let result = await server.signIn { $0.ways = [.code, way] }.iterated()
        #expect(result.error == SignInError(.wayUnusable, because: ""))
        #expect(result.error?.reason.hasPrefix(way.rawValue) == true)
        let sentence = try #require(result.error?.sentence)
        #expect(sentence.hasPrefix("This screen cannot sign in by ‘\(way.rawValue)’: "))
        #expect(sentence.hasSuffix(". Choose another way: code."))
        #expect(result.events.isEmpty && server.transport.sent().isEmpty)
    }

    @Test func `refuses no way at all`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        #expect(await server.signIn { $0.ways = [] }.iterated().error == SignInError(.wayUnusable, because: ""))
        #expect(server.transport.sent().isEmpty)
    }

    @Test func `has a screen with a name by default, and one of its own shows a code only`() {
        #expect(SignInScreen.system.name?.isEmpty == false)
        #expect(SignInScreen.system.ways.contains(.code) && SignInScreen.system.store == nil)
        #expect(SignInScreen().ways == [.code])
    }

    @Test func `takes the names of ways, and refuses unknown ones`() throws {
        #expect(try Set<SignInWay>(naming: ["code", "nearby"]) == [.code, .nearby])
        for name in ["telepathy", "tele\u{1B}[31m"] {
            let error = #expect(throws: SignInError(.wayUnusable, because: "")) { try Set(naming: ["code", name]) }
            let sentence = try #require(error?.sentence)
            #expect(sentence.hasPrefix("‘tele") && !sentence.contains("\u{1B}"))
            #expect(sentence.hasSuffix("’ is no way to sign in. Choose another way: nearby, browser, push, code."))
        }
    }
}
