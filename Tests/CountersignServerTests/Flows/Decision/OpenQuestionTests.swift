import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A page that asks, and stands open", .server)
struct OpenQuestionTests {
    let server = TestServer.current

    /// The request, the address of the page about it, and the headers of the page's script.
    private struct Question: Sendable {
        let id: SignInRequest.ID
        let address: String
        let script: HTTPFields
    }

    private func taken(
        _ codes: DeviceAuthorizationResponse, in browser: TestBrowser
    ) async throws -> Question {
        try await browser.take(codes)
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        return question(try #require(stored).id, by: "user_code=\(codes.userCode)", in: browser)
    }

    private func question(_ id: SignInRequest.ID, by name: String, in browser: TestBrowser) -> Question {
        Question(
            id: id, address: "/activate/confirm?\(name)",
            script: [.cookie: browser.cookie, .ifNoneMatch: "\"\(id)\"", .prefer: "wait=25"])
    }

    private func giveUp(_ codes: DeviceAuthorizationResponse) async throws {
        let form: Form = ["token": codes.deviceCode.revealed, "token_type_hint": "device_code"]
        #expect(try await server.post(server.path("revoke"), form.with(TestClients.tv.form)).status == .ok)
    }

    private func result(_ answer: TestResponse, of question: Question, in browser: TestBrowser) async throws -> String {
        #expect(answer.location == "/activate/result?request=\(question.id)")
        return try await browser.get("activate/result?request=\(question.id)").text
    }

    @Test func `has a script that waits, and is complete without`() async throws {
        let anna = try await server.browser(of: .anna)
        let question = try await taken(try await server.ask(), in: anna)
        let page = try await anna.get(String(question.address.dropFirst()))
        #expect(page.text.contains("data-waits=\"&quot;\(question.id)&quot;\""))
        #expect(page.headers[.contentSecurityPolicy]?.hasSuffix("; script-src 'self'; connect-src 'self'") == true)
        #expect(!page.text.contains("http-equiv=\"refresh\""))
    }

    @Test func `says at once on which device its person answered`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await device.register { $0.name = "Anna’s phone" }
        _ = try await client.asked()
        let anna = try await server.browser(of: .anna)
        let id = try #require(try await anna.openQuestion().field("request"))
        let question = question(SignInRequest.ID(id), by: "request=\(id)", in: anna)
        async let held = server.get(question.address, headers: question.script)
        await server.clock.sleepers(1)
        #expect(try await device.decide(.deny).status == .ok)
        let page = try await result(try await held, of: question, in: anna)
        #expect(page.contains("<h1>Denied</h1>"))
        #expect(page.contains("Answered on \u{2068}Anna’s phone\u{2069}, just now"))
    }

    @Test func `ends in a result that speaks of no screen where the app named its person`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        _ = try await client.asked()
        let anna = try await server.browser(of: .anna)
        let id = try #require(try await anna.openQuestion().field("request"))
        let question = question(SignInRequest.ID(id), by: "request=\(id)", in: anna)
        let page = try await result(
            try await anna.answer("approve", request: question.id), of: question, in: anna)
        #expect(page.contains("will learn that you approved.") && !page.contains("on that screen"))
    }

    @Test func `says at once that the screen stopped asking`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let question = try await taken(codes, in: anna)
        async let held = server.get(question.address, headers: question.script)
        await server.clock.sleepers(1)
        try await giveUp(codes)
        let page = try await result(try await held, of: question, in: anna)
        #expect(page.contains("<h1>The screen stopped asking</h1>"))
    }

    @Test func `says that it is too late as soon as it is, to the person who took the request alone`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(290))
        let question = try await taken(codes, in: anna)
        #expect(try await anna.get("activate/result?request=\(question.id)").status == .notFound)
        async let held = server.get(question.address, headers: question.script)
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(10))
        #expect(try await result(try await held, of: question, in: anna).contains("<h1>Too late</h1>"))
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.get("activate/result?request=\(question.id)").status == .notFound)
        let theirs = try await bert.get("activate/confirm?user_code=\(codes.userCode)")
        #expect(theirs.location == "/activate?user_code=\(codes.userCode)")
    }

    @Test func `stays as it is while nothing is decided, also when another person takes the request`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let question = try await taken(codes, in: anna)
        var script = question.script
        script[.prefer] = nil
        #expect(try await server.get(question.address, headers: script).status == .notModified)
        async let held = server.get(question.address, headers: question.script)
        await server.clock.sleepers(1)
        try await server.browser(of: .bert).take(codes)
        server.clock.advance(by: .seconds(25))
        #expect(try await held.status == .notModified)
        server.clock.advance(by: .seconds(120))
        #expect(try await server.get(question.address, headers: script).status == .notModified)
        // A page that is opened anew asks the person first whether they see the screen.
        script[.ifNoneMatch] = nil
        #expect(
            try await server.get(question.address, headers: script).location == "/activate?user_code=\(codes.userCode)")
    }

    @Test func `tells nothing of the decision of another person`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let question = try await taken(codes, in: anna)
        try await server.browser(of: .bert).decide("approve", codes)
        let answer = try await server.get(question.address, headers: question.script)
        #expect(answer.location == "/activate?user_code=\(codes.userCode)")
    }

    @Test func `is told nothing by the name of another request`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let question = try await taken(codes, in: anna)
        var script = question.script
        script[.ifNoneMatch] = "\"another\""
        #expect(try await server.get(question.address, headers: script).status == .ok)
        script = question.script
        script[.cookie] = try await server.newBrowser().cookie
        #expect(try await server.get(question.address, headers: script).location?.hasPrefix("/login?") == true)
    }
}
