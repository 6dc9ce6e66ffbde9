internal import CountersignHTTP
internal import Mustache

/// Escapes text in templates, in place of swift-mustache, which escapes characters and so misses a quote with a combining
/// mark.
struct HTMLEscaping: MustacheContentType {
    /// Its name in templates.
    static let name = "COUNTERSIGN_HTML"

    func escapeText(_ text: String) -> String { text.escapedForHTML }
}
