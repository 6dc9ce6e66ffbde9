internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes

/// Registers devices of the older dialect, and changes what they registered.
extension LegacyDevices {
    static let wrongApp = AuthenticatorFailure(
        .unauthorized, "The app key is not known.", because: "an unknown app key")

    /// Registers a device.
    ///
    /// - Throws: ``AuthenticatorFailure`` of status 401 for an app key that is not known; ``LimitReached``;
    ///   ``StoreUnavailable``.
    func create(
        _ id: LegacyDeviceID,
        _ details: DeviceDetails,
        from address: String?
    ) async throws -> EnrolledDevice {
        let now = clock.now()
        let key = AppKey(details.appKey ?? "")
        try await store.change { repositories in
            guard try repositories.authenticatorApps.find(key) != nil else { throw Self.wrongApp }
            try limits.admitAndCount(
                [.address(.registrationPerAddress, address), .overall(.registrationOverall)], in: repositories)
            var device = EnrolledDevice(id: id.stored, dialect: .shared, subject: nil, signIn: nil, created: now)
            device.update(details)
            try repositories.devices.insert(device)
        }
        return try await change(id, details, [], by: nil, from: address)
    }

    /// Changes what a device registered, and proves its number.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - details: What it says of itself now.
    ///   - body: The same, byte for byte.
    ///   - token: What it authenticated with, if it did: the dialect's own apps do not.
    ///   - address: From where the call comes; `nil` where that cannot be seen.
    /// - Throws: ``AuthenticatorFailure``; ``LimitReached``; ``StoreUnavailable``.
    func change(
        _ id: LegacyDeviceID,
        _ details: DeviceDetails,
        _ body: [UInt8],
        by token: EnvironmentToken?,
        from address: String?
    ) async throws -> EnrolledDevice {
        let step = (now: clock.now(), keys: try await keys.current())
        let (device, outcome) = try await store.change { repositories in
            try change(
                id, details, body, by: token,
                Step(repositories: repositories, keys: step.keys, now: step.now, address: address))
        }
        guard outcome == .noted else {
            throw AuthenticatorFailure(
                .tooManyRequests, "No code is expected, or it was guessed at too often: ask for a new one.",
                because: "no live code")
        }
        return device
    }

    private func change(
        _ id: LegacyDeviceID,
        _ details: DeviceDetails,
        _ body: [UInt8],
        by token: EnvironmentToken?,
        _ step: Step
    ) throws -> (EnrolledDevice, CodeOutcome) {
        let repositories = step.repositories
        guard var device = try repositories.devices.find(id.stored), device.dialect == .shared else {
            throw Self.unknown
        }
        let key = AppKey(details.appKey ?? device.appKey?.rawValue ?? "")
        guard try repositories.authenticatorApps.find(key) != nil else { throw Self.wrongApp }
        let before = device.pushToken
        device.update(details)
        // Whoever has only the identifier cannot point the messages of a proved device elsewhere.
        if device.status == .verified, let before, device.pushToken != before {
            let isOwner = try token.map {
                try authentication.isOwner(
                    $0, of: device.id, sending: body, trusting: step.keys, in: repositories)
            }
            if isOwner != true {
                try unverify(&device, because: "another push token", at: step.now, in: repositories)
            }
        }
        if let number = details.phoneNumber { try name(number, at: &device, step) }
        let outcome = try details.verificationCode.map { try type($0, at: &device, step) } ?? .noted
        _ = device.see(at: step.now)
        try repositories.devices.update(device)
        try finishMove(of: &device, step)
        return (device, outcome)
    }

    /// The device has to prove its number once more, and answers nothing until then.
    func unverify(
        _ device: inout EnrolledDevice,
        because reason: String,
        at now: Date,
        in repositories: any Repositories
    ) throws {
        try repositories.record(
            AuditEntry.Facts(at: now, .legacyDeviceUnverified, by: .stranger, subject: device.subject, detail: reason))
        device.status = .unverified
        device.subject = nil
    }
}
