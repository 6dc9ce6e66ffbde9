internal import Countersign
package import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The telephone numbers of people and devices: their moves, and their removal.
package struct PhoneNumbers {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Carries out at most `limit` moves whose waiting time is over; returns how many.
    func completeMoves(telling newDevices: NewDeviceNotices, at now: Date, limit: Int) throws -> Int {
        let due = try repositories.phoneNumbers.moving(at: now, limit: limit)
        for record in due {
            if let move = record.move { try complete(record, move, telling: newDevices, at: now) }
        }
        return due.count
    }

    /// A number goes to the device that proved it. Devices that had it before have none any more.
    func complete(
        _ moving: PhoneNumberRecord,
        _ move: PhoneNumberRecord.Move,
        telling newDevices: NewDeviceNotices,
        at now: Date
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

    /// Stores the state of a device's verification, and copies it to the device if that is enrolled.
    ///
    /// A device of the older dialect that becomes a person's by it is a new one of theirs.
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

    /// A device has no number any more.
    func endRegistration(of id: DeviceRegistration.ID) throws {
        try repositories.phoneRegistrations.remove(id)
        guard var device = try repositories.devices.find(id) else { return }
        device.phoneNumber = nil
        device.status = .unverified
        if device.dialect == .shared { device.subject = nil }
        try repositories.devices.update(device)
    }

    /// Takes a number away from its person. Devices that proved it, or are about to, have none any more.
    package func remove(_ number: PhoneNumber) throws {
        // Strangers can name a number at any number of devices. Each that ends is no longer found by it.
        while case let found = try repositories.devices.all(with: number), !found.isEmpty {
            for device in found { try endRegistration(of: device.id) }
        }
        try repositories.phoneRegistrations.removeAll(of: number)
        try repositories.phoneNumbers.remove(number)
    }

    /// Removes a device of the older dialect that becomes another person's from the sites where it answered for
    /// the one before.
    private func leaveEnvironments(_ device: DeviceRegistration.ID, unlessOf subject: Subject, at now: Date) throws {
        for enrollment in try repositories.devices.enrollments(of: device) where enrollment.subject != subject {
            _ = try repositories.devices.unenroll(device, from: enrollment.environment)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now,
                    .legacyDeviceLeft,
                    by: .server,
                    subject: enrollment.subject,
                    client: ClientID(enrollment.environment.rawValue)
                )
            )
        }
    }
}
