internal import Crypto

/// The one style sheet, served at `{base}/assets/style.css`.
///
/// Pages link it with its digest in the query, so that it may be cached for a year.
struct Stylesheet: Sendable {
    /// The CSS.
    let text: String
    /// The first 64 bits of the text's SHA-256, in hexadecimal.
    let digest: String

    init() {
        let bytes = PackageResources.style_css
        text = String(decoding: bytes, as: UTF8.self)
        digest = SHA256.hash(data: bytes).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
