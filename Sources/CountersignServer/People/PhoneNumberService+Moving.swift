internal import FoundationEssentialsCompat

/// The content of a notice about a pending move, apart from the stored data.
struct MoveNotice: Sendable {
    let keys: Keys
    let site: String
    /// The language for a person whose devices state none.
    let language: PageLanguage
}

extension PhoneNumberService {
    /// The lifetime of a notice about a move, in seconds.
    private static let noticeLifetime: TimeInterval = 3600
    /// The maximum number of other numbers of a person that receive a notice.
    private static let mostTold = 3

    // MARK: After the right code

    /// Decides the owner of a number that a device has verified.
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
        // A device with the older SDK has no person: the right code makes it a further device of the owner, unless a
        // move is pending.
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
                at: now, .phoneNumberClaimed, by: .person, subject: holder.subject, address: address,
                detail: number.masked)
        )
        guard settings.moveDelay > 0 else {
            try PhoneNumbers(repositories).complete(holder, move, telling: newDevices, at: now)
            return try repositories.phoneRegistrations.find(device.id).map { try outcome(of: $0, in: repositories) }
                ?? .unverified
        }
        try tell(holder, notice, in: repositories)
        return .pending(number)
    }

    /// Whether the device that verified a number still exists.
    private func hasDevice(_ holder: PhoneNumberRecord, in repositories: any Repositories) throws -> Bool {
        try holder.device.map { try repositories.devices.find($0) != nil } ?? false
    }

    /// Gives a device a number in place of its previous one.
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
                at: clock.now(), .phoneNumberProved, by: .person, subject: kept.subject, address: address,
                detail: kept.number.masked)
        )
        return .verified(kept.number, of: kept.subject)
    }

    /// The person without a password whose user name is the number, new or existing; `nil` when the settings forbid it,
    /// or another person has the name.
    private func person(of number: PhoneNumber, in repositories: any Repositories) throws -> Subject? {
        let name = Username(rawValue: number.text)
        guard settings.makesPeople else { return nil }
        if let known = try repositories.people.find(name) {
            return known.isActive && known.password == nil && known.name == number.text ? known.subject : nil
        }
        let now = clock.now()
        let person = Person(subject: mint.identifier(), username: name, name: number.text, password: nil, created: now)
        try People(repositories).add(person, as: .server, because: number.masked)
        return person.subject
    }

    // MARK: Moving

    /// Notifies the owner of a number of a claim: on their devices and other numbers, but not on the number itself,
    /// whose messages may reach the claimant already.
    private func tell(_ holder: PhoneNumberRecord, _ notice: MoveNotice, in repositories: any Repositories) throws {
        let now = clock.now()
        let announcements = Announcements(repositories)
        for (device, address) in try announcements.pushable(of: holder.subject, at: now) {
            try announcements.push(to: address, of: device.id, for: Self.noticeLifetime, by: mint, at: now)
        }
        let words = MessageWords(language: try PageLanguage(of: holder.subject, in: repositories) ?? notice.language)
        let others = try repositories.phoneNumbers.all(of: holder.subject).filter { $0.number != holder.number }
        for other in others.prefix(Self.mostTold) {
            try repositories.deliveries.insert(
                try Delivery.text(
                    words.text(.numberClaimed, from: notice.site), to: other.number, id: mint.identifier(),
                    device: other.device, made: now, expires: now + Self.noticeLifetime, sealedBy: notice.keys)
            )
        }
    }

    /// Cancels a pending move of a number, because its device verified it again.
    func keepNumber(
        _ holder: PhoneNumberRecord, by device: NumberedDevice, from address: String?, in repositories: any Repositories
    ) throws {
        guard let move = holder.move, move.device != device.id else { return }
        var kept = holder
        kept.move = nil
        try repositories.phoneNumbers.keep(kept)
        try PhoneNumbers(repositories).endRegistration(of: move.device)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: clock.now(), .phoneNumberKept, by: .person, subject: holder.subject, address: address,
                detail: holder.number.masked)
        )
    }
}
