internal import CountersignHTTP
internal import HTTPTypes
internal import Hummingbird

/// A page of the gate itself: a heading, a sentence, and a link.
struct PlainPage: Sendable, Equatable {
    let heading: String
    var sentence: String?
    let link: Link

    enum Link: Sendable, Equatable {
        /// The start of the site.
        case site
        /// The page that begins a sign-in, by its address.
        case signIn(String)
    }

    func response(status: HTTPResponse.Status) -> Response {
        let heading = heading.escapedForHTML
        let sentence = sentence.map { "<p>\($0.escapedForHTML)</p>\n" } ?? ""
        let link =
            switch link {
            case .site: #"<a href="/">Back to the site</a>"#
            case .signIn(let address): #"<a href="\#(address.escapedForHTML)">Sign in again</a>"#
            }
        let page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(heading)</title>
            <h1>\(heading)</h1>
            \(sentence)<p>\(link)</p>
            </html>

            """
        let headers: HTTPFields = [
            .cacheControl: "no-store", .contentType: "text/html; charset=utf-8", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            .referrerPolicy: "no-referrer",
        ]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }
}
