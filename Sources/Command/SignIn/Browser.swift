internal import Countersign
internal import CountersignRequester
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The browser of this machine, which opens a page and comes back to this program when the person is done.
///
/// The provider redirects it to a port that only this machine reaches. The redirect's parameters prove nothing: the
/// provider is queried in any case. Standard: RFC 8252 §7.3.
struct Browser: Sendable {
    /// The port to come back to; any that is free for 0.
    let port: Int

    /// Runs `body` while the browser can come back.
    func listening<Value: Sendable>(_ body: @escaping @Sendable (OpenBrowser) async throws -> Value) async throws
        -> Value
    {
        let browser = OpenBrowser()
        let router = Router()
        router.get(RouterPath(OpenBrowser.path)) { request, _ in
            let address = request.uri.string
            // The person reads the answer before the program acts on it, which may be to end.
            return Self.answer { await browser.cameBack(to: address) }
        }
        let server = LoopbackServer(
            responder: router.buildResponder(), port: port, refusal: LoopbackServer.refusal(of: port))
        return try await server.listening { port in
            await browser.listens(on: port)
            return try await body(browser)
        }
    }

    private static func answer(then act: @escaping @Sendable () async -> Void) -> Response {
        let words = ByteBuffer(string: "That is all. You can close this page and go back to the terminal.\n")
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(contentLength: words.readableBytes) { writer in
                try await writer.write(words)
                try await writer.finish(nil)
                await act()
            }
        )
    }
}

/// A browser that knows where to come back to.
actor OpenBrowser {
    static let path = "/verification"

    private var port = 0
    private var page: SignInPage?

    /// Opens a page; without a browser the person reads in the terminal what to do.
    func open(_ page: SignInPage) async {
        self.page = page
        let address = page.address(returningTo: "http://127.0.0.1:\(port)\(Self.path)")
        guard await DesktopOpener().open(address) else {
            Terminal.complain("No browser could be opened. Follow the link, or enter the code elsewhere.")
            return
        }
    }

    func forget() {
        page = nil
    }

    func listens(on port: Int) {
        self.port = port
    }

    func cameBack(to address: String) {
        page?.returned(with: address)
    }
}
