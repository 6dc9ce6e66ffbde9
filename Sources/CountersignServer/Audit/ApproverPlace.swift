/// The place of a person who acts at an app that approves, as the audit notes it.
enum ApproverPlace: Sendable, Equatable {
    /// An enrolled device of the person.
    case device(DeviceRegistration.ID)
    /// An app without an enrolled device.
    case app(ClientID)

    private static let onDevice = "on device "
    private static let inApp = "in app "

    /// The place of an app by its sign-in.
    init(of signIn: SignInRecord, in repositories: any Repositories) throws {
        let device = try repositories.devices.find(signIn.grant.id)
        self = device.map { .device($0.id) } ?? .app(signIn.grant.client)
    }

    /// Reads a place as the audit notes it; `nil` for other text.
    init?(audited text: some StringProtocol) {
        if text.hasPrefix(Self.onDevice) {
            self = .device(DeviceRegistration.ID(String(text.dropFirst(Self.onDevice.count))))
        } else if text.hasPrefix(Self.inApp) {
            self = .app(ClientID(String(text.dropFirst(Self.inApp.count))))
        } else {
            return nil
        }
    }

    /// The place, as the audit notes it.
    var audited: String {
        switch self {
        case .device(let id): "\(Self.onDevice)\(id)"
        case .app(let id): "\(Self.inApp)\(id)"
        }
    }
}
