internal import Crypto

/// A file that pages load, served below `{base}/assets/`.
///
/// Pages link it with its digest in the query, so that it may be cached for a year.
struct PageAsset: Sendable {
    /// The content.
    let bytes: [UInt8]
    /// The first 64 bits of its SHA-256, in hexadecimal.
    let digest: String
    /// The name of the file.
    let name: String
    /// The media type.
    let type: String
    /// The path below the issuer where a service worker shows messages; `nil` for a file that is none.
    let scope: String?

    /// The one style sheet, in the project’s own colours.
    static let stylesheet = PageAsset("style.css", "text/css; charset=utf-8", PackageResources.style_css)
    /// The script that enables *Approve* after a delay.
    static let delayScript = PageAsset("delay.js", "text/javascript; charset=utf-8", PackageResources.delay_js)
    /// The script for passkeys, which passes the options of a page to the browser, and the credential to the form.
    static let passkeyScript = PageAsset("passkey.js", "text/javascript; charset=utf-8", PackageResources.passkey_js)
    /// The script that holds a request until the page changes, and shows the page then.
    static let waitScript = PageAsset("wait.js", "text/javascript; charset=utf-8", PackageResources.wait_js)
    /// The script that moves the secret of a link into the form.
    static let linkScript = PageAsset("link.js", "text/javascript; charset=utf-8", PackageResources.link_js)

    /// The script that shows times in the zone of the browser.
    static let timesScript = PageAsset("times.js", "text/javascript; charset=utf-8", PackageResources.times_js)

    /// The script that registers a browser for push messages.
    static let pushScript = PageAsset("push.js", "text/javascript; charset=utf-8", PackageResources.push_js)
    /// The service worker that shows push messages, always at the same address.
    static let pushWorker = PageAsset(
        "push-worker.js", "text/javascript; charset=utf-8", PackageResources.push_worker_js, workingAt: "/account")

    /// The style sheet of a brand.
    static func stylesheet(of brand: Brand) -> PageAsset {
        guard let styles = brand.accent?.styles else { return stylesheet }
        return PageAsset(stylesheet.name, stylesheet.type, stylesheet.bytes + Array(styles.utf8))
    }

    /// The picture of an operator.
    static func logo(_ logo: BrandLogo) -> PageAsset { PageAsset("logo", logo.format.rawValue, logo.bytes) }

    private init(_ name: String, _ type: String, _ bytes: [UInt8], workingAt scope: String? = nil) {
        self.scope = scope
        self.name = name
        self.type = type
        self.bytes = bytes
        digest = HexadecimalText.encode(SHA256.hash(data: bytes).prefix(8))
    }
}
