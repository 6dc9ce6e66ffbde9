internal import FoundationEssentialsCompat

/// The telephone numbers of people and devices: their moves, and their removal.
package struct PhoneNumbers {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Completes at most `limit` due moves; returns how many.
    func completeMoves(telling newDevices: NewDeviceNotices, at now: Date, limit: Int) throws -> Int {
        let due = try repositories.phoneNumbers.moving(at: now, limit: limit)
        for record in due {
            if let move = record.move { try complete(record, move, telling: newDevices, at: now) }
        }
        return due.count
    }

    /// Moves a number to the device that verified it, and ends its registration at other devices.
    func complete(
        _ moving: PhoneNumberRecord, _ move: PhoneNumberRecord.Move, telling newDevices: NewDeviceNotices, at now: Date
    ) throws {
        let number = moving.number
        var kept = moving
        kept.move = nil
        guard var registration = try repositories.phoneRegistrations.find(move.device),
            case .moving(number, until: _) = registration.registration.state
        else { return try repositories.phoneNumbers.keep(kept) }
        for device in try repositories.devices.verified(with: number) where device.id != move.device {
            if case .verified(number)? = try repositories.phoneRegistrations.find(device.id)?.registration.state {
                try endRegistration(of: device.id)
            }
        }
        try repositories.phoneRegistrations.removeAll(of: number)
        kept.subject = move.subject ?? moving.subject
        kept.device = move.device
        kept.verified = now
        try repositories.phoneNumbers.keep(kept)
        registration.registration.verify(number)
        registration.touched = now
        try keep(registration, telling: newDevices)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .phoneNumberMoved, by: .server, subject: kept.subject, detail: number.masked)
        )
    }

    /// Stores the state of a device's verification, also in the record of an enrolled device.
    ///
    /// A device with the older SDK becomes a new device of the number's owner.
    func keep(_ record: PhoneRegistrationRecord, telling newDevices: NewDeviceNotices) throws {
        try repositories.phoneRegistrations.keep(record)
        guard var device = try repositories.devices.find(record.device) else { return }
        device.phoneNumber = record.registration.namedNumber
        switch record.registration.state {
        case .unverified:
            device.status = .unverified
        case .pending, .moving:
            device.status = .pending
        case .verified(let number):
            device.status = .verified
            // A device with a sign-in belongs to the person who signed in.
            if device.dialect == .shared, let kept = try repositories.phoneNumbers.find(number),
                kept.subject != device.subject
            {
                try leaveEnvironments(device.id, unlessOf: kept.subject, at: record.touched)
                device.subject = kept.subject
                try EnrolledDevices(repositories).claimPushToken(of: device)
                try newDevices.tell(of: device, client: nil, by: .phoneNumber, at: record.touched, in: repositories)
            }
        }
        try repositories.devices.update(device)
    }

    /// Removes the number of a device.
    func endRegistration(of id: DeviceRegistration.ID) throws {
        try repositories.phoneRegistrations.remove(id)
        guard var device = try repositories.devices.find(id) else { return }
        device.phoneNumber = nil
        device.status = .unverified
        if device.dialect == .shared { device.subject = nil }
        try repositories.devices.update(device)
    }

    /// Removes a number, and ends its verification at all devices.
    package func remove(_ number: PhoneNumber) throws {
        // Strangers can state a number at any number of devices; each pass ends some of them.
        while case let found = try repositories.devices.all(with: number), !found.isEmpty {
            for device in found { try endRegistration(of: device.id) }
        }
        try repositories.phoneRegistrations.removeAll(of: number)
        try repositories.phoneNumbers.remove(number)
    }

    /// Removes a device with the older SDK from the sites of its previous person.
    private func leaveEnvironments(_ device: DeviceRegistration.ID, unlessOf subject: Subject, at now: Date) throws {
        for enrollment in try repositories.devices.enrollments(of: device) where enrollment.subject != subject {
            _ = try repositories.devices.unenroll(device, from: enrollment.environment)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .legacyDeviceLeft, by: .server, subject: enrollment.subject,
                    client: ClientID(enrollment.environment.rawValue))
            )
        }
    }
}
