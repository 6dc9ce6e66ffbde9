extension ApproverPlace {
    private static let onDevice = "on device "
    private static let inApp = "in app "

    /// Reads a place as the audit notes it; `nil` for other text.
    init?(audited text: Substring) {
        if text.hasPrefix(Self.onDevice) {
            self = .device(DeviceRegistration.ID(String(text.dropFirst(Self.onDevice.count))))
        } else if text.hasPrefix(Self.inApp) {
            self = .client(ClientID(String(text.dropFirst(Self.inApp.count))))
        } else {
            return nil
        }
    }

    /// The place, as the audit notes it; `nil` for one that it does not note so.
    var audited: String? {
        switch self {
        case .device(let id): "\(Self.onDevice)\(id)"
        case .client(let id): "\(Self.inApp)\(id)"
        case .browser, .app, .olderDevice, .textMessage: nil
        }
    }
}
