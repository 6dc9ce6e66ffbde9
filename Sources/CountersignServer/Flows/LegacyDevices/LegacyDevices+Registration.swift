internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// Registers devices of the older dialect, and changes what they registered.
extension LegacyDevices {
    static let wrongApp = CustomerSiteAPIError(
        .unauthorized, "The app key is not known.", because: "an unknown app key")

    /// Registers a device.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 401 for an app key that is not known; ``RateLimitError``;
    ///   ``StoreUnavailableError``.
    func create(
        _ id: LegacyDeviceID,
        _ details: DeviceDetails,
        from address: String?
    ) async throws -> EnrolledDevice {
        let now = services.clock.now()
        // Before anything is stored: a refused caller never learns the identifier of the device.
        _ = try details.phoneNumber.map { try served($0) }
        let key = AppKey(details.appKey ?? "")
        try await services.store.change { repositories in
            guard try repositories.authenticatorApps.find(key) != nil else { throw Self.wrongApp }
            try services.limits.admitAndCount(
                SelfRegistration.rateKeys(from: address), in: repositories)
            var device = EnrolledDevice(id: id.stored, dialect: .shared, subject: nil, signIn: nil, created: now)
            device.update(details)
            try repositories.devices.insert(device)
        }
        return try await change(id, details, [], by: nil, from: address)
    }

    /// Changes what a device registered, and proves its number.
    ///
    /// An invalid number changes nothing at all.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - details: The details that it says of itself now.
    ///   - body: The same, byte for byte.
    ///   - token: The token that it authenticated with, if it did: the dialect's own apps do not.
    ///   - address: The network address of the call; `nil` where it cannot be seen.
    /// - Throws: ``CustomerSiteAPIError``; ``RateLimitError``; ``StoreUnavailableError``.
    func change(
        _ id: LegacyDeviceID,
        _ details: DeviceDetails,
        _ body: [UInt8],
        by token: CustomerSiteToken?,
        from address: String?
    ) async throws -> EnrolledDevice {
        let number = try details.phoneNumber.map { try served($0) }
        let keys = try await services.keys.current()
        let device = NumberedDevice(
            try await services.store.change { repositories in
                try services.limits.admitAndCount([.name("device \(id.stored)", .approverPerAccount)], in: repositories)
                return try note(details, of: id, naming: number?.number, in: repositories) { device in
                    try token.map {
                        try authentication.isOwner($0, of: device, sending: body, trusting: keys, in: repositories)
                    } ?? false
                }
            }
        )
        do {
            if let number { _ = try await services.accounts.phoneNumbers.register(number, for: device, from: address) }
            if let code = details.verificationCode {
                let typed = try await services.accounts.phoneNumbers.verify(code, for: device, from: address)
                guard typed != .notExpected else { throw Self.noCodeExpected }
            }
        } catch is RemovedDeviceError {
            throw Self.unknown
        }
        return try await stored(id)
    }

    private static let noCodeExpected = CustomerSiteAPIError(
        .tooManyRequests, "No code is expected, or it was guessed at too often: ask for a new one.",
        because: "no live code")

    private func served(_ text: String) throws -> ServedNumber {
        guard let number = try? PhoneNumber(text) else {
            throw CustomerSiteAPIError.malformed("phone_number is no telephone number in the international form.")
        }
        do {
            return try services.accounts.phoneNumbers.served(number)
        } catch {
            throw CustomerSiteAPIError.malformed("No codes are sent to such numbers.")
        }
    }

    private func stored(_ id: LegacyDeviceID) async throws -> EnrolledDevice {
        guard let device = try await services.store.read({ try $0.devices.find(id.stored) }) else { throw Self.unknown }
        return device
    }

    /// Stores the details that a device sends.
    ///
    /// A caller with the identifier alone can redirect neither messages nor person. A new push token, which the
    /// dialect's own apps send without authentication, is used from the device's next authenticated call on, or once
    /// the former one is dead; other devices keep it until then. A new number must be proved.
    private func note(
        _ details: DeviceDetails,
        of id: LegacyDeviceID,
        naming number: PhoneNumber?,
        in repositories: any Repositories,
        byOwner isOwner: (DeviceRegistration.ID) throws -> Bool
    ) throws -> EnrolledDevice {
        guard var device = try repositories.devices.find(id.stored), device.dialect == .shared else {
            throw Self.unknown
        }
        let key = AppKey(details.appKey ?? device.appKey?.rawValue ?? "")
        guard try repositories.authenticatorApps.find(key) != nil else { throw Self.wrongApp }
        let before = device
        var said = details
        var isConfirmed = false
        if let text = said.pushToken {
            let named = PushToken(named: text)
            isConfirmed = try before.subject != nil && isOwner(device.id)
            if before.subject == nil || isConfirmed || named == before.pushToken {
                device.details.pushToken = nil
            } else {
                device.offer(named)
                if before.pushToken != nil, before.pushDied == nil { said.pushToken = nil }
            }
        }
        device.update(said)
        _ = device.see(at: services.clock.now())
        try repositories.devices.update(device)
        if isConfirmed { try EnrolledDevices(repositories).claimPushToken(of: device) }
        guard before.subject != nil else { return device }
        guard number != nil, number != before.phoneNumber, try !isOwner(device.id) else { return device }
        try unverify(device, because: "another number", at: services.clock.now(), in: repositories)
        return try repositories.devices.find(device.id) ?? device
    }

    /// Requires the device to prove its number again before it answers anything. Codes that were sent still count
    /// against the limit.
    private func unverify(
        _ device: EnrolledDevice, because reason: String, at now: Date, in repositories: any Repositories
    ) throws {
        try Audit(repositories).record(
            AuditEntry.Facts(at: now, .legacyDeviceUnverified, by: .stranger, subject: device.subject, detail: reason))
        if var record = try repositories.phoneRegistrations.find(device.id) {
            record.registration.end()
            try repositories.phoneRegistrations.keep(record)
        }
        var device = device
        device.status = .unverified
        device.subject = nil
        try repositories.devices.update(device)
    }
}
