internal import Countersign
internal import Crypto

/// A file that pages load beside themselves, served below `{base}/assets/`.
///
/// Pages link it with its digest in the query, so that it may be cached for a year.
struct PageAsset: Sendable {
    /// The content.
    let text: String
    /// The first 64 bits of the text's SHA-256, in hexadecimal.
    let digest: String
    /// The name of the file.
    let name: String
    /// The media type.
    let type: String

    /// The one style sheet.
    static let stylesheet = PageAsset("style.css", "text/css; charset=utf-8", PackageResources.style_css)
    /// The one script: it hands what a page asks to the browser's passkeys, and the answer to the page's form. Without it
    /// the pages are complete, but for passkeys.
    static let passkeyScript = PageAsset("passkey.js", "text/javascript; charset=utf-8", PackageResources.passkey_js)

    private init(_ name: String, _ type: String, _ bytes: [UInt8]) {
        self.name = name
        self.type = type
        text = String(decoding: bytes, as: UTF8.self)
        digest = HexadecimalText.encode(SHA256.hash(data: bytes).prefix(8))
    }
}
