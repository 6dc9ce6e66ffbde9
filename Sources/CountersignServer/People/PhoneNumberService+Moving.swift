internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The words that tell a person that a number of theirs is about to move, with everything that does not depend on the
/// store.
struct MoveNotice: Sendable {
    let keys: Keys
    let site: String
    /// The language for a person whose devices name none.
    let language: PageLanguage
}

extension PhoneNumberService {
    /// The lifetime of a notice about a move, in seconds.
    private static let noticeLifetime: TimeInterval = 3600
    /// The maximum number of a person's other numbers that are told.
    private static let mostTold = 3

    // MARK: After the right code

    /// Decides whose a number is that a device has just proved.
    func settle(
        _ number: PhoneNumber,
        for device: NumberedDevice,
        _ record: PhoneRegistrationRecord,
        telling notice: MoveNotice,
        from address: String?,
        in repositories: any Repositories
    ) throws -> NumberOutcome {
        let now = clock.now()
        var record = record
        guard var holder = try repositories.phoneNumbers.find(number) else {
            guard let subject = try device.subject ?? person(of: number, in: repositories) else {
                record.registration.end()
                try PhoneNumbers(repositories).keep(record, telling: newDevices)
                return .unverified
            }
            let kept = PhoneNumberRecord(number, of: subject, device: device.id, verified: now)
            return try give(kept, to: record, from: address, in: repositories)
        }
        let isSamePerson = device.subject == holder.subject || holder.device == device.id
        // A device of the older dialect has no person of its own: the right code makes it one more device of the person
        // who has the number, whose others stay and are told. While the number is about to move, it waits, too.
        let isFurtherDevice = device.subject == nil && holder.move == nil
        if isSamePerson || isFurtherDevice {
            if try !hasDevice(holder, in: repositories) { holder.device = device.id }
            // Verifying the number again cancels a pending transfer.
            if isSamePerson, holder.move.map({ $0.device != device.id }) == true {
                try keepNumber(holder, by: device, from: address, in: repositories)
                holder.move = nil
            }
            return try give(holder, to: record, from: address, in: repositories)
        }
        let move = PhoneNumberRecord.Move(to: device.id, of: device.subject, due: now + settings.moveDelay)
        holder.move = move
        record.registration.wait(for: number, until: move.due)
        try PhoneNumbers(repositories).keep(record, telling: newDevices)
        try repositories.phoneNumbers.keep(holder)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .phoneNumberClaimed,
                by: .person,
                subject: holder.subject,
                address: address,
                detail: number.masked
            )
        )
        guard settings.moveDelay > 0 else {
            try PhoneNumbers(repositories).complete(holder, move, telling: newDevices, at: now)
            return try repositories.phoneRegistrations.find(device.id).map { try outcome(of: $0, in: repositories) }
                ?? .unverified
        }
        try tell(holder, notice, in: repositories)
        return .pending(number)
    }

    /// Whether the device that proved a number is still there.
    private func hasDevice(_ holder: PhoneNumberRecord, in repositories: any Repositories) throws -> Bool {
        try holder.device.map { try repositories.devices.find($0) != nil } ?? false
    }

    /// A number becomes the device's, in place of the one that it had.
    private func give(
        _ kept: PhoneNumberRecord,
        to record: PhoneRegistrationRecord,
        from address: String?,
        in repositories: any Repositories
    ) throws -> NumberOutcome {
        var record = record
        if let before = record.registration.provedNumber, before != kept.number,
            let old = try repositories.phoneNumbers.find(before), old.device == record.device,
            old.subject == kept.subject
        {
            try repositories.phoneNumbers.remove(before)
        }
        try repositories.phoneNumbers.keep(kept)
        record.registration.verify(kept.number)
        try PhoneNumbers(repositories).keep(record, telling: newDevices)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: clock.now(),
                .phoneNumberProved,
                by: .person,
                subject: kept.subject,
                address: address,
                detail: kept.number.masked
            )
        )
        return .verified(kept.number, of: kept.subject)
    }

    /// A person without a password, whose name is the number: a new one, or the one who got that account when they first
    /// proved it. `nil` when the operator does not want any, or another person has the name.
    private func person(of number: PhoneNumber, in repositories: any Repositories) throws -> Subject? {
        let name = Username(rawValue: number.text)
        guard settings.makesPeople else { return nil }
        if let known = try repositories.people.find(name) {
            return known.isActive && known.password == nil && known.name == number.text ? known.subject : nil
        }
        let now = clock.now()
        let person = Person(subject: mint.identifier(), username: name, name: number.text, password: nil, created: now)
        try repositories.people.insert(person)
        try Audit(repositories).record(
            AuditEntry.Facts(at: now, .personAdded, by: .server, subject: person.subject, detail: number.masked)
        )
        return person.subject
    }

    // MARK: Moving

    /// Tells the person who has a number that another device claims it: their device, and their other numbers. The
    /// number itself is not told, because its messages may reach the other already.
    private func tell(_ holder: PhoneNumberRecord, _ notice: MoveNotice, in repositories: any Repositories) throws {
        let now = clock.now()
        for (device, address) in try Announcements(repositories).pushable(of: holder.subject, at: now) {
            try repositories.deliveries.insert(
                Delivery(
                    id: mint.identifier(),
                    .push(PushPayload(nil), to: address),
                    device: device.id,
                    made: now,
                    expires: now + Self.noticeLifetime
                )
            )
        }
        let words = MessageWords(language: try PageLanguage(of: holder.subject, in: repositories) ?? notice.language)
        let others = try repositories.phoneNumbers.all(of: holder.subject).filter { $0.number != holder.number }
        for other in others.prefix(Self.mostTold) {
            try repositories.deliveries.insert(
                try Delivery.text(
                    words.text(.numberClaimed, from: notice.site),
                    to: other.number,
                    id: mint.identifier(),
                    device: other.device,
                    made: now,
                    expires: now + Self.noticeLifetime,
                    sealedBy: notice.keys
                )
            )
        }
    }

    /// The device that has a number names it again: it is still its own, and does not move.
    func keepNumber(
        _ holder: PhoneNumberRecord,
        by device: NumberedDevice,
        from address: String?,
        in repositories: any Repositories
    ) throws {
        guard let move = holder.move, move.device != device.id else { return }
        var kept = holder
        kept.move = nil
        try repositories.phoneNumbers.keep(kept)
        try PhoneNumbers(repositories).endRegistration(of: move.device)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: clock.now(),
                .phoneNumberKept,
                by: .person,
                subject: holder.subject,
                address: address,
                detail: holder.number.masked
            )
        )
    }
}
