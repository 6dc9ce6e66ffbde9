internal import Countersign
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
        let now = clock.now()
        // Before anything is stored: the caller of a device that is refused never learns its identifier.
        _ = try details.phoneNumber.map { try served($0) }
        let key = AppKey(details.appKey ?? "")
        try await store.change { repositories in
            guard try repositories.authenticatorApps.find(key) != nil else { throw Self.wrongApp }
            try limits.admitAndCount(
                SelfRegistration.rateKeys(from: address), in: repositories)
            var device = EnrolledDevice(id: id.stored, dialect: .shared, subject: nil, signIn: nil, created: now)
            device.update(details)
            try repositories.devices.insert(device)
        }
        return try await change(id, details, [], by: nil, from: address)
    }

    /// Changes what a device registered, and proves its number.
    ///
    /// A number that cannot be one changes nothing at all.
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
        let keys = try await keys.current()
        let device = NumberedDevice(
            try await store.change { repositories in
                try limits.admitAndCount([.name("device \(id.stored)", .approverPerAccount)], in: repositories)
                return try note(details, of: id, naming: number?.number, in: repositories) { device in
                    try token.map {
                        try authentication.isOwner($0, of: device, sending: body, trusting: keys, in: repositories)
                    } ?? false
                }
            }
        )
        do {
            if let number { _ = try await numbers.register(number, for: device, from: address) }
            if let code = details.verificationCode {
                let typed = try await numbers.verify(code, for: device, from: address)
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
            return try numbers.served(number)
        } catch {
            throw CustomerSiteAPIError.malformed("No codes are sent to such numbers.")
        }
    }

    private func stored(_ id: LegacyDeviceID) async throws -> EnrolledDevice {
        guard let device = try await store.read({ try $0.devices.find(id.stored) }) else { throw Self.unknown }
        return device
    }

    /// Notes what a device says of itself.
    ///
    /// A caller that shows only its identifier can point neither its messages nor its person elsewhere. Another address
    /// for messages, which the dialect's own apps send like that whenever the system gave them one, is used from the
    /// device's next authenticated call on, or as soon as the former one is dead. Other devices keep that address until
    /// such a call. For another number it has to prove that number.
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
        _ = device.see(at: clock.now())
        try repositories.devices.update(device)
        if isConfirmed { try EnrolledDevices(repositories).claimPushToken(of: device) }
        guard before.subject != nil else { return device }
        guard number != nil, number != before.phoneNumber, try !isOwner(device.id) else { return device }
        try unverify(device, because: "another number", at: clock.now(), in: repositories)
        return try repositories.devices.find(device.id) ?? device
    }

    /// A device of the older dialect has to prove its number once more, and answers nothing until then. Codes that were
    /// sent to it still count against the next one.
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
