/// The page with the QR code by which a device joins an environment.
struct EnvironmentCodeView: Page {
    static let template = PageTemplate.environmentCode

    /// The name of the environment.
    let environmentName: String
    /// How many squares the QR code has on each side, with its border.
    let qrSize: String
    /// Its dark squares, as a path of SVG.
    let qrPath: String

    var title: LocalizedText { .text(.environmentCodeTitle) }
}
