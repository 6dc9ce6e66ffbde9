internal import HTTPTypes
internal import Hummingbird

/// `GET /assets/…`: a file that pages load. Its address changes with its content, so it may be cached.
struct PageAssetEndpoint: Sendable {
    let pages: PageRoutes
    let asset: PageAsset

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("assets/\(asset.name)", [.get: { request, _ in answer(request) }], on: router)
    }

    private func answer(_ request: Request) -> Response {
        var headers = PageHeaders.all(pages.issuer)
        headers[.contentType] = asset.type
        // A picture that is opened directly runs and loads nothing.
        if asset.type.hasPrefix("image/") { headers[.contentSecurityPolicy] = PageHeaders.policyOfPictures }
        if let scope = asset.scope { headers[.serviceWorkerAllowed] = "\(pages.issuer.path)\(scope)" }
        let isCurrent = request.uri.queryParameters["v"].map(String.init) == asset.digest
        headers[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
}

extension Response {
    /// The response with a policy that allows the scripts of this server.
    ///
    /// Standard: Content Security Policy Level 3 §6.1.10 (`script-src`).
    func runningScripts(_ isNeeded: Bool = true) -> Response {
        guard isNeeded, headers[.contentSecurityPolicy]?.contains("script-src 'self'") != true else { return self }
        var response = self
        response.headers[.contentSecurityPolicy]? += "; script-src 'self'"
        return response
    }

    /// The response with a policy that allows the scripts of this server, and their requests to this server.
    ///
    /// Standard: Content Security Policy Level 3 §6.1.2 (`connect-src`).
    func runningWaitScript() -> Response {
        var response = runningScripts()
        response.headers[.contentSecurityPolicy]? += "; connect-src 'self'"
        return response
    }
}

extension HTTPField.Name {
    /// Standard: Service Workers §7.4.
    fileprivate static let serviceWorkerAllowed = HTTPField.Name("Service-Worker-Allowed")!
}
