internal import Crypto
internal import HTTPTypes
internal import Hummingbird

/// The one script that pages load, `{base}/assets/passkey.js`: it hands what a page asks to the browser's passkeys, and
/// the answer to the page's form. Without it the pages are complete, but for passkeys.
struct PasskeyScript: Sendable {
    /// The JavaScript.
    let text: String
    /// The first 64 bits of the text's SHA-256, in hexadecimal.
    let digest: String

    init() {
        let bytes = PackageResources.passkey_js
        text = String(decoding: bytes, as: UTF8.self)
        digest = SHA256.hash(data: bytes).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

/// `GET /assets/passkey.js`. Its address changes with its content, so it may be cached for long.
struct PasskeyScriptEndpoint: Sendable {
    let pages: PageRoutes

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("assets/passkey.js", [.get: { request, _ in answer(request) }], on: router)
    }

    private func answer(_ request: Request) -> Response {
        let script = pages.renderer.script
        var headers = PageHeaders.all(pages.issuer)
        headers[.contentType] = "text/javascript; charset=utf-8"
        let isCurrent = request.uri.queryParameters["v"].map(String.init) == script.digest
        headers[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: script.text))
        )
    }
}

extension Response {
    /// The page with leave to load scripts of this server, of which there is one.
    ///
    /// Standard: Content Security Policy Level 3 §6.1.10 (`script-src`).
    func runningPasskeyScript(_ isNeeded: Bool = true) -> Response {
        guard isNeeded else { return self }
        var response = self
        response.headers[.contentSecurityPolicy]? += "; script-src 'self'"
        return response
    }
}
