import Countersign
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Testing

/// Shows that pages of others can do nothing with a browser that has a person signed in.
///
/// `localhost` is another site than `127.0.0.1`; another port of `127.0.0.1` is the same site, so that the browser
/// sends it the cookie, and yet another origin.
@Suite("A page of somebody else’s", .timeLimit(.minutes(10)))
struct OtherSitesTests {
    @Test func `cannot show ours in a frame`() async throws {
        try await BrowserStory.play { story in
            try await story.visitAsSomebody()
            for (host, path) in [
                ("localhost", "/activate"), ("localhost", "/account"), ("localhost", "/login"),
                ("127.0.0.1", "/activate"), ("127.0.0.1", "/account"), ("127.0.0.1", "/login"),
            ] {
                try await show(path, inFrameAt: host, of: story)
            }
        }
    }

    private func show(_ path: String, inFrameAt host: String, of story: BrowserStory) async throws {
        let browser = story.browser
        let page = "<iframe src='\(story.server.issuer)\(path)' width=800 height=600></iframe>"
        try await OtherSite.with(page) { port in
            _ = try await browser.complaints()
            try await browser.open("http://\(host):\(port)/")
            try await browser.wait(for: "the complaint") {
                try await browser.complaints().contains { $0.contains("frame-ancestors 'none'") }
            }
            try await browser.enterFrame()
            #expect(try await !browser.has("main, form, input, h1.brand"))
            #expect(try await !browser.source().contains("Countersign"))
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `cannot decide, even with a form that was stolen whole`(host: String) async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            let token = try await stolenToken(from: browser)
            let fields = ["form_token": token, "user_code": codes.userCode.rawValue, "decision": "approve"]

            try await send(fields, to: "/activate/decision", from: host, in: story)
            try await browser.expect("This form has expired", answering: 403)
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))

            try await story.open("/activate/confirm?user_code=\(codes.userCode)")
            try await browser.expect("Approve this sign-in?")
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `cannot take a request, undo or sign anybody out`(host: String) async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            try await browser.press("Approve")
            let tokens = try await story.screen.poll(codes).tokens
            try await story.open("/account")
            let token = try await stolenToken(from: browser)
            let grant = try await browser.element("input[name=grant]").property("value").string
            let more = try await story.screen.ask()

            let attempts = [
                ("/account/undo", ["grant": grant ?? ""]),
                ("/account/sign-out", ["grant": grant ?? ""]),
                ("/activate", ["user_code": more.userCode.rawValue]),
                ("/logout", [:]),
            ]
            for (path, fields) in attempts {
                try await send(fields.merging(["form_token": token]) { $1 }, to: path, from: host, in: story)
                try await browser.expect("This form has expired", answering: 403)
            }
            #expect(try await story.isActive(tokens))
            try await story.open("/account")
            try await browser.expect("Where you are signed in")
            try await story.open("/activate/confirm?user_code=\(more.userCode)")
            try await browser.expect("Did you open this from your own screen?")
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `cannot sign a person in as somebody else`(host: String) async throws {
        try await BrowserStory.play { story in
            try await story.open("/login")
            let fields = [
                "form_token": try await stolenToken(from: story.browser),
                "username": JourneyPerson.ben.username,
                "password": JourneyPerson.ben.password,
            ]
            try await send(fields, to: "/login", from: host, in: story)
            try await story.browser.expect("This form has expired", answering: 403)
            try await story.open("/account")
            try await story.browser.expect("Sign in")
        }
    }

    @Test func `can link to ours, and the person is still signed in`() async throws {
        try await BrowserStory.play { story in
            let codes = try await story.screen.ask()
            try await story.visitAsSomebody()
            let link = try #require(codes.verificationURIComplete)
            try await OtherSite.with("<a href='\(link)'>Win a prize</a>") { port in
                try await story.browser.open("http://localhost:\(port)/")
                try await story.browser.press("Win a prize")
                try await story.browser.expect("Did you open this from your own screen?")
            }
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))
        }
    }

    private func stolenToken(from browser: Browser) async throws -> String {
        try #require(try await browser.element("main input[name=form_token]").property("value").string)
    }

    /// Sends a form of the fields to a page of ours, from a page of another origin, without the person’s doing.
    private func send(
        _ fields: [String: String],
        to path: String,
        from host: String,
        in story: BrowserStory
    ) async throws {
        let inputs = fields.map { "<input type=hidden name='\($0)' value='\($1)'>" }.joined()
        let page = """
            <form method=post action='\(story.server.issuer)\(path)'>\(inputs)</form>
            <script>document.forms[0].submit()</script>
            """
        try await OtherSite.with(page) { port in
            try await story.browser.open("http://\(host):\(port)/")
            try await story.browser.wait(for: "the form to arrive") {
                try await story.browser.address() == "\(story.server.issuer)\(path)"
            }
        }
    }
}

/// A site of somebody else’s, on this machine: one page, at a port of its own.
enum OtherSite {
    static func with(
        _ page: String,
        at path: String = "/",
        leadingOnTo next: String? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on(RouterPath(path), method: method) { _, _ in
                if let next { return Response.redirect(to: next, type: .found) }
                return Response(
                    status: .ok,
                    headers: [.contentType: "text/html; charset=utf-8"],
                    body: ResponseBody(
                        byteBuffer: ByteBuffer(string: "<!doctype html><title>A prize</title>\(page)")
                    )
                )
            }
        }
        router.get("/favicon.ico") { _, _ in HTTPResponse.Status.noContent }
        var logger = Logger(label: "other site")
        logger.logLevel = .critical
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in found.yield(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        let running = Task {
            defer { found.finish() }
            try await application.run()
        }
        defer { running.cancel() }
        for await port in ports {
            try await body(port)
            return
        }
        try await running.value
    }
}
