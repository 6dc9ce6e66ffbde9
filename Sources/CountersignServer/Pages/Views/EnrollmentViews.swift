internal import FoundationEssentialsCompat

/// The page that shows the QR code for enrolling an app.
struct EnrollmentView: Page {
    static let template = PageTemplate.enrollment
    static let showsTimes = true

    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The content of the QR code.
    let invitation: String
    /// The number of squares on each side of the QR code, with its border.
    let qrSize: String
    /// Its dark squares, as a path of SVG.
    let qrPath: String
    /// The expiry of the code.
    let ends: TimeDisplay
    /// The time until then, in words.
    let timeLeft: LocalizedText

    var title: LocalizedText { .text(.enrollmentTitle) }
}

/// The page of a browser that opened the QR code for an app.
struct EnrollmentArrivalView: Page {
    static let template = PageTemplate.enrollmentArrival

    var title: LocalizedText { .text(.enrollmentArrivalTitle) }
}

/// An enrolled device on the account page.
struct EnrolledDeviceView: Sendable {
    /// The form field `device`; no secret.
    let deviceID: String
    /// The person's name for the device, the model that it names, or a general word for such a device.
    let deviceModel: LocalizedText
    /// The person's name for it; empty when they gave it none.
    let deviceGivenName: String
    /// The app and the system, as the device stated them; `nil` for none.
    let deviceSystem: String?
    let deviceAdded: TimeDisplay
    let deviceSeen: TimeDisplay
    /// The network address from which it was enrolled; `nil` when none was seen.
    var deviceAddress: String?
    /// The identifier of the request that enrolled it; no secret.
    var deviceHistoryID: String?
}

/// A new device on the account page.
struct NewDeviceView: Sendable {
    let newDeviceModel: LocalizedText
    let newDeviceAdded: TimeDisplay
}
