internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The enrolled devices of people: what each may answer, and its removal.
struct EnrolledDevices {
    /// The longest time that a person can be left alone, in seconds: a day.
    static let longestQuiet = 86_400

    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Whether a device may be shown a request and answer it: those of a site only while it is registered
    /// there.
    func mayAnswer(_ stored: SignInExchangeRecord, on device: EnrolledDevice?) throws -> Bool {
        guard let environment = stored.method.environment else { return true }
        guard let device else { return false }
        return try repositories.devices.enrollment(of: device.id, in: environment) != nil
    }

    /// Whether a request is to be approved at a device that can ask its person for the number, because they have one
    /// there.
    ///
    /// Devices of the older dialect have no field for a number: answering there would bypass the number that another
    /// device asks for.
    func isForNumberedDevice(_ stored: SignInExchangeRecord, of subject: Subject, at now: Date) throws -> Bool {
        guard stored.numberToType != nil else { return false }
        return try repositories.devices.all(of: subject).contains { device in
            try device.dialect == .signed && mayAnswer(stored, on: device) && hasLiveSignIn(device, at: now)
        }
    }

    /// Whether the sign-in of the app on a device goes on, without which it answers nothing; devices of the older
    /// dialect need none.
    func hasLiveSignIn(_ device: EnrolledDevice, at now: Date) throws -> Bool {
        guard let id = device.signIn else { return device.dialect == .shared }
        return try repositories.signIns.find(id)?.isLive(at: now) ?? false
    }

    /// Whether a person wants to be left alone, so that nothing is pushed to their devices.
    func wantsQuiet(_ subject: Subject, at now: Date) throws -> Bool {
        return try repositories.devices.quiet(of: subject).map {
            $0.lasts(at: now, atMost: TimeInterval(Self.longestQuiet))
        } ?? false
    }

    /// Takes the address for push messages of a device that has shown who it is from all others: the push service
    /// reaches one app by it, whoever used that app before.
    func claimPushToken(of device: EnrolledDevice) throws {
        guard let token = device.pushToken else { return }
        try repositories.devices.removePushToken(token, exceptOf: device.id)
    }

    /// Removes what is kept of a device, with an entry in the audit; does nothing when it was removed before.
    ///
    /// - Parameters:
    ///   - device: The device that is removed.
    ///   - actor: The party that the audit names.
    ///   - client: The app on the device; `nil` when it has no sign-in.
    ///   - address: The network address of that party; `nil` when there is none.
    ///   - now: The current time.
    func forget(
        _ device: EnrolledDevice,
        by actor: AuditActor,
        client: ClientID?,
        from address: String?,
        at now: Date
    ) throws {
        guard try repositories.devices.remove(device.id) else { return }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .deviceRemoved,
                by: actor,
                subject: device.subject,
                client: client,
                address: address,
                detail: device.shownInAudit
            )
        )
    }
}
