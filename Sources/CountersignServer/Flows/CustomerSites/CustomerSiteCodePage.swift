internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `GET /auth/v1.0/instant/{id}/qr`: the QR code that lets the person of an open request add their device to the
/// site; a page, or a picture (SVG or PNG) for sites that show it on their own.
///
/// The request's identifier, which only the customer and its person know, opens it; the code works once.
struct CustomerSiteCodePage: Sendable {
    let pages: PageRoutes
    let requests: CustomerSiteRequests
    private var services: FlowServices { requests.services }

    func mount(_ path: String, on router: some RouterMethods<ServerRequestContext>) {
        pages.mount(path, [.get: show], on: router)
    }

    @Sendable private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try services.requestLimiter.admit(
            .address(.tokenPerAddress, context.address(of: request, by: services.addresses)))
        guard let (site, invitation) = try await requests.invitation(of: context.environmentRequest),
            let code = QRCode(invitation.revealed)
        else { throw PageError.notFound }
        let drawing = code.svg
        let accepted = AcceptedMedia(parsing: request.headers[values: .accept])
        // A browser names pages; for a program that accepts anything it is a picture.
        let pictures = [Self.svg, Self.png]
        switch accepted.best(of: accepted.names(Self.page) ? [Self.page] + pictures : pictures) {
        case Self.page?:
            return try pages.html(
                CustomerSiteCodeView(
                    siteName: site.name, qrSize: "\(drawing.size)", qrPath: drawing.path))
        case Self.png?: return Self.picture(Self.png, ByteBuffer(bytes: code.png))
        default: return Self.picture(Self.svg, Self.svg(drawing.path, size: drawing.size))
        }
    }

    private static let page = "text/html"
    private static let svg = "image/svg+xml"
    private static let png = "image/png"

    private static func svg(_ path: String, size: Int) -> ByteBuffer {
        ByteBuffer(
            string: """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
                <rect width="\(size)" height="\(size)" fill="#fff"/><path d="\(path)" fill="#000"/></svg>
                """)
    }

    private static func picture(_ type: String, _ bytes: ByteBuffer) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff", .vary: "Accept",
                .contentSecurityPolicy: "default-src 'none'", .referrerPolicy: "same-origin",
            ],
            body: ResponseBody(byteBuffer: bytes)
        )
    }
}
