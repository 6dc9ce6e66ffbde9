internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `GET /assets/style.css`: the style sheet of the pages. Its address changes with its content, so it may be cached for
/// long.
struct StylesheetEndpoint: Sendable {
    let pages: PageRoutes

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("assets/style.css", [.get: { request, _ in answer(request) }], on: router)
    }

    private func answer(_ request: Request) -> Response {
        var headers = PageHeaders.all(pages.issuer)
        headers[.contentType] = "text/css; charset=utf-8"
        let isCurrent = request.uri.queryParameters["v"].map(String.init) == pages.renderer.stylesheet.digest
        headers[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: pages.renderer.stylesheet.text))
        )
    }
}
