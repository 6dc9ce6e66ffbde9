/// The page with the QR code that lets a device join a site.
struct CustomerSiteCodeView: Page {
    static let template = PageTemplate.siteCode

    /// The name of the site.
    let siteName: String
    /// The number of squares on each side of the QR code, with its border.
    let qrSize: String
    /// Its dark squares, as a path of SVG.
    let qrPath: String

    var title: LocalizedText { .text(.siteCodeTitle) }
}
