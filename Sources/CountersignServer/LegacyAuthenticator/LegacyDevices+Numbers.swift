internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes

/// Lets devices of the older dialect prove telephone numbers.
///
/// A code goes to a number only if somebody has it, or may get an account by it; the device cannot tell. A number that
/// another device proved moves after a waiting time.
extension LegacyDevices {
    /// How long a number takes to move from the device that proved it before, in seconds: a day.
    static let movingTime: TimeInterval = 86_400

    /// What becomes of a code that was typed.
    enum CodeOutcome: Sendable {
        case noted
        /// No code is expected, or it was guessed at too often.
        case notExpected
    }

    /// What one change needs.
    struct Step {
        let repositories: any Repositories
        let keys: Keys
        let now: Date
        let address: String?
    }

    /// Notes the number that a device names, and sends it a code. The number that it has proved needs none.
    ///
    /// - Throws: ``AuthenticatorFailure`` of status 400; ``LimitReached``.
    func name(_ text: String, at device: inout EnrolledDevice, _ step: Step) throws {
        guard let number = try? PhoneNumber(text) else {
            throw AuthenticatorFailure.malformed("phone_number is no telephone number in the international form.")
        }
        let repositories = step.repositories
        if device.status == .verified {
            guard device.phoneNumber != number else { return }
            try unverify(&device, because: "another number", at: step.now, in: repositories)
        }
        var record =
            try repositories.phoneRegistrations.find(device.id)
            ?? PhoneRegistrationRecord(device.id, PhoneRegistration(), touched: step.now)
        switch record.registration.permission(to: number, at: step.now) {
        case .alreadySent: break
        case .wait(let end):
            let seconds = Int(end.timeIntervalSince(step.now).rounded(.up))
            throw LimitReached(limit: .requestPerNumber, retryAfter: max(1, seconds))
        case .send:
            try limits.admitAndCount(
                [.address(.registrationPerAddress, step.address), .name(number.text, .requestPerNumber)],
                in: repositories
            )
            let code = mint.digits(PhoneRegistration.digits)
            record.registration.send(step.digest(of: code, at: device.id), to: number, at: step.now)
            record.touched = step.now
            try repositories.phoneRegistrations.keep(record)
            if try makesAccounts || repositories.owner(of: number) != nil {
                try send(code, to: number, of: device.id, step)
            }
        }
        (device.phoneNumber, device.status) = (number, .pending)
    }

    private func send(_ code: String, to number: PhoneNumber, of device: DeviceRegistration.ID, _ step: Step) throws {
        let words = "\(code) is the code for your phone. Type it in the app, and tell it to nobody."
        try step.repositories.deliveries.insert(
            .text(
                MessageText(revealing: words),
                to: number,
                id: mint.identifier(),
                device: device,
                made: step.now,
                expires: step.now + PhoneRegistration.codeLifetime,
                sealedBy: step.keys
            )
        )
    }

    /// Compares the code that a person typed. A wrong one changes nothing but the count; the device stays as it is.
    func type(_ code: String, at device: inout EnrolledDevice, _ step: Step) throws -> CodeOutcome {
        guard device.status != .verified else { return .noted }
        guard var record = try step.repositories.phoneRegistrations.find(device.id) else { return .notExpected }
        let answer = record.registration.answer(step.digest(of: String(code.prefix(64)), at: device.id), at: step.now)
        if case .right(let number) = answer { try prove(number, at: &device, &record, step) }
        record.touched = step.now
        try step.repositories.phoneRegistrations.keep(record)
        return answer == .notExpected ? .notExpected : .noted
    }

    /// The device has shown that texts to the number reach it.
    private func prove(
        _ number: PhoneNumber,
        at device: inout EnrolledDevice,
        _ record: inout PhoneRegistrationRecord,
        _ step: Step
    ) throws {
        let repositories = step.repositories
        var owned = try repositories.phoneNumbers.find(number)
        if owned == nil, makesAccounts { owned = try newAccount(with: number, step) }
        guard var owned else { return }
        if let before = owned.device, before != device.id, try repositories.devices.find(before) != nil {
            let due = step.now + Self.movingTime
            owned.move = PhoneNumberRecord.Move(to: device.id, of: nil, due: due)
            record.registration.wait(for: number, until: due)
            return try repositories.phoneNumbers.keep(owned)
        }
        (owned.device, owned.verified, owned.move) = (device.id, step.now, nil)
        try repositories.phoneNumbers.keep(owned)
        record.registration.verify(number)
        try verify(&device, as: owned.subject, number, step)
    }

    /// Ends the waiting time of a device that proved a number which another one had.
    func finishMove(of device: inout EnrolledDevice, _ step: Step) throws {
        let repositories = step.repositories
        guard device.status == .pending, var record = try repositories.phoneRegistrations.find(device.id),
            case .moving(let number, until: let due) = record.registration.state, step.now >= due,
            var owned = try repositories.phoneNumbers.find(number), owned.move?.device == device.id
        else { return }
        if let before = owned.device, var old = try repositories.devices.find(before), old.dialect == .shared {
            try unverify(&old, because: "the number moved", at: step.now, in: repositories)
            try repositories.devices.update(old)
        }
        (owned.device, owned.verified, owned.move) = (device.id, step.now, nil)
        try repositories.phoneNumbers.keep(owned)
        record.registration.verify(number)
        try repositories.phoneRegistrations.keep(record)
        try verify(&device, as: owned.subject, number, step)
        try repositories.devices.update(device)
    }

    private func verify(
        _ device: inout EnrolledDevice,
        as subject: Subject,
        _ number: PhoneNumber,
        _ step: Step
    ) throws {
        (device.status, device.subject, device.phoneNumber) = (.verified, subject, number)
        try step.repositories.record(
            AuditEntry.Facts(
                at: step.now,
                .legacyDeviceVerified,
                by: .person,
                subject: subject,
                address: step.address,
                detail: "\(number.masked), \(device.details.model ?? "unknown model")"
            )
        )
    }

    /// An account of somebody who has nothing but a number: it has no password.
    private func newAccount(with number: PhoneNumber, _ step: Step) throws -> PhoneNumberRecord? {
        let username = Username(number.text)
        guard try step.repositories.people.find(username) == nil else { return nil }
        let person = Person(
            subject: mint.identifier(), username: username, name: number.masked, password: nil, created: step.now)
        try step.repositories.people.insert(person)
        try step.repositories.record(
            AuditEntry.Facts(at: step.now, .personAdded, by: .server, subject: person.subject, address: step.address))
        return PhoneNumberRecord(number, of: person.subject, verified: step.now)
    }
}

extension LegacyDevices.Step {
    /// The digest of a code for one device, made with a key of the server.
    fileprivate func digest(of code: String, at device: DeviceRegistration.ID) -> SecretDigest {
        SecretDigest(of: keys.authenticationCode(for: "\(device)\n\(code)", use: "code for a telephone number"))
    }
}
