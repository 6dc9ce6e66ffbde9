internal import FoundationEssentialsCompat

/// The enrolled devices of people: their rights to answer, and their removal.
struct EnrolledDevices {
    /// The longest quiet time, in seconds: a day.
    static let longestQuiet = 86_400

    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Whether a device may show and answer a request; for a request of a site it has to be enrolled there.
    func mayAnswer(_ stored: SignInExchangeRecord, on device: EnrolledDevice?) throws -> Bool {
        guard let environment = stored.method.environment else { return true }
        guard let device else { return false }
        return try repositories.devices.enrollment(of: device.id, in: environment) != nil
    }

    /// Whether a request has to be approved at a device with a field for the number, because the person has one.
    ///
    /// Devices with the older SDK have no field for a number: an answer there would bypass the number.
    func isForNumberedDevice(_ stored: SignInExchangeRecord, of subject: Subject, at now: Date) throws -> Bool {
        guard stored.numberToType != nil else { return false }
        return try repositories.devices.all(of: subject).contains { device in
            try device.dialect == .signed && mayAnswer(stored, on: device) && hasLiveSignIn(device, at: now)
        }
    }

    /// Whether the sign-in of a device's app is live, which its answers require; devices with the older SDK need none.
    func hasLiveSignIn(_ device: EnrolledDevice, at now: Date) throws -> Bool {
        guard let id = device.signIn else { return device.dialect == .shared }
        return try repositories.signIns.find(id)?.isLive(at: now) ?? false
    }

    /// Whether it is the quiet time of a person, without push messages to their devices.
    func wantsQuiet(_ subject: Subject, at now: Date) throws -> Bool {
        return try repositories.devices.quiet(of: subject).map {
            $0.lasts(at: now, atMost: TimeInterval(Self.longestQuiet))
        } ?? false
    }

    /// Removes the push token of an authenticated device from all other devices: it belongs to one app, also after a
    /// change of its person.
    func claimPushToken(of device: EnrolledDevice) throws {
        guard let token = device.pushToken else { return }
        try repositories.devices.removePushToken(token, exceptOf: device.id)
    }

    /// Removes a device, with an audit entry; does nothing when there is none.
    ///
    /// - Parameters:
    ///   - device: The device to remove.
    ///   - actor: The party that the audit names.
    ///   - client: The app on the device; `nil` when it has no sign-in.
    ///   - address: The network address of that party; `nil` when there is none.
    ///   - now: The current time.
    func forget(
        _ device: EnrolledDevice, by actor: AuditActor, client: ClientID?, from address: String?, at now: Date
    ) throws {
        guard try repositories.devices.remove(device.id) else { return }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .deviceRemoved, by: actor, subject: device.subject, client: client, address: address,
                detail: device.shownInAudit)
        )
    }
}

extension EnrolledDevice {
    /// The person's name for it, or its model; `nil` for neither.
    var shownName: String? { details.name ?? details.model }
}
