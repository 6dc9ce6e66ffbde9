internal import CountersignWire
internal import Hummingbird

extension Request {
    /// The parameters of the query as browsers send a form, with `+` for a space; none when the query is broken.
    ///
    /// Standard: WHATWG URL §5.1.
    var query: Form { (try? Form(parsing: Array((uri.query ?? "").utf8))) ?? Form() }
}
