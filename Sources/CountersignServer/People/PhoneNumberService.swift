internal import FoundationEssentialsCompat

/// A device that verifies its telephone number.
struct NumberedDevice: Sendable {
    /// The device.
    let id: DeviceRegistration.ID
    /// The person of its sign-in; `nil` for a device with the older SDK without a person.
    var subject: Subject?
    /// The language of the device; `nil` for an unsupported one.
    var language: PageLanguage?
}

extension NumberedDevice {
    /// An enrolled device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - ranges: The preferred languages of the request, for a device without a language; none by default.
    init(_ device: EnrolledDevice, preferring ranges: LanguageRanges = LanguageRanges(parsing: [])) {
        self.init(
            id: device.id,
            subject: device.subject,
            language: PageLanguage(ofDevice: device.details.languageCode)
                ?? PageLanguage(preferred: ranges, otherwise: .english)
        )
    }
}

/// The verification status of a device, for the answer of a device API.
enum NumberOutcome: Sendable, Equatable {
    /// It verified no number.
    case unverified
    /// It has to type a code, or to wait for a move. The answer does not reveal whether a code was sent.
    case pending(PhoneNumber)
    /// It verified the number, which belongs to this person.
    case verified(PhoneNumber, of: Subject)

    /// The status on the wire.
    var status: RegistrationStatus {
        switch self {
        case .unverified: .unverified
        case .pending: .pending
        case .verified: .verified
        }
    }

    /// The number that the device has or verifies.
    var number: PhoneNumber? {
        switch self {
        case .unverified: nil
        case .pending(let number), .verified(let number, of: _): number
        }
    }
}

/// The result of typing a code.
enum TypedCodeOutcome: Sendable, Equatable {
    /// It was right, or none was needed; this is the new status.
    case right(NumberOutcome)
    /// It was wrong; the device may try again.
    case wrong
    /// No code is expected: none was sent, it has expired, or its attempts are exhausted.
    case notExpected
}

/// The operator does not serve the prefix of this number.
struct UnservedNumberError: Error, Sendable, Equatable {}

/// A telephone number with a served prefix; made by ``PhoneNumberService/served(_:)`` alone.
struct ServedNumber: Sendable {
    /// The number.
    let number: PhoneNumber

    fileprivate init(_ number: PhoneNumber) { self.number = number }
}

/// The device was removed during the verification of its number.
struct RemovedDeviceError: Error, Sendable, Equatable {}

/// Verifies the telephone numbers of devices by codes in text messages.
///
/// A text message is no proof of identity: a number of another person moves only after a delay, and its current device
/// may object. Answers do not reveal whether a number is registered. The owner's devices have separate limits, so
/// strangers cannot lock them out.
struct PhoneNumberService: Sendable {
    let store: any Store
    let keys: KeyRing
    let random: RandomSource
    let mint: CodeMint
    let clock: TimeSource
    let settings: PhoneNumberSettings
    let issuer: Issuer
    /// The language of texts to devices without one.
    let language: PageLanguage
    let limits: StoredRateLimiter
    let newDevices: NewDeviceNotices
    private var budget: MessageBudget { MessageBudget(limits: limits) }

    // MARK: What device APIs call

    /// Requires a served prefix.
    func served(_ number: PhoneNumber) throws(UnservedNumberError) -> ServedNumber {
        guard
            settings.servedPrefixes.isEmpty
                || settings.servedPrefixes.contains(where: { number.text.dropFirst().hasPrefix($0) })
        else { throw UnservedNumberError() }
        return ServedNumber(number)
    }

    /// Sends a code to the number of a device, unless the device has verified it already.
    ///
    /// - Parameters:
    ///   - served: The number.
    ///   - device: The device.
    ///   - address: The network address of the request.
    /// - Throws: ``RemovedDeviceError``; ``RateLimitError`` for too many codes, or too soon after the last one.
    func register(
        _ served: ServedNumber, for device: NumberedDevice, from address: String?
    ) async throws -> NumberOutcome {
        let number = served.number
        let code = try await prepare(for: device, number)
        return try await store.change { repositories in
            let device = try current(device, in: repositories)
            return try register(number, for: device, from: address, sending: code, in: repositories)
        }
    }

    /// Verifies the code that a device sent.
    ///
    /// - Parameter code: The typed code, in any grouping and script of its digits.
    /// - Throws: ``RemovedDeviceError``; ``RateLimitError`` after too many wrong codes from one network address.
    func verify(_ code: String, for device: NumberedDevice, from address: String?) async throws -> TypedCodeOutcome {
        let keys = try await keys.current()
        let notice = MoveNotice(keys: keys, site: issuer.authority, language: language)
        return try await store.change { repositories in
            let guesses = [
                RateLimitKey.address(.guessPerAddress, address)
                    .sparing("\(CountedAddress.text(of: address)) \(device.id)")
            ]
            try limits.admit(guesses, in: repositories)
            let device = try current(device, in: repositories)
            guard var record = try repositories.phoneRegistrations.find(device.id) else { return .notExpected }
            let now = clock.now()
            record.touched = now
            let sent: SentCode<PhoneNumber>
            switch record.registration.state {
            case .pending(let pending, before: _): sent = pending
            case .unverified: return .notExpected
            case .moving, .verified: return .right(try outcome(of: record, in: repositories))
            }
            let typed = Self.digest(of: TypedText.folded(code), for: device.id, sent.address, by: keys)
            switch record.registration.answer(typed, at: now) {
            case .notExpected:
                return .notExpected
            case .wrong:
                try limits.count(guesses, in: repositories)
                try PhoneNumbers(repositories).keep(record, telling: newDevices)
                return .wrong
            case .right(let number):
                let party = try budget.party(of: device.id, device.subject, for: number, at: address, in: repositories)
                try budget.noteTyped(number, by: party, in: repositories)
                return .right(
                    try settle(number, for: device, record, telling: notice, from: address, in: repositories))
            }
        }
    }

    /// The verification status of a device.
    func outcome(of device: DeviceRegistration.ID) async throws -> NumberOutcome {
        try await store.read { repositories in
            guard let record = try repositories.phoneRegistrations.find(device) else { return .unverified }
            return try outcome(of: record, in: repositories)
        }
    }

    /// The verification status of a stored registration.
    func outcome(of record: PhoneRegistrationRecord, in repositories: any Repositories) throws -> NumberOutcome {
        switch record.registration.state {
        case .unverified: return .unverified
        case .pending(let code, before: _): return .pending(code.address)
        case .moving(let number, until: _): return .pending(number)
        case .verified(let number):
            guard let kept = try repositories.phoneNumbers.find(number) else { return .unverified }
            return .verified(number, of: kept.subject)
        }
    }

    // MARK: Sending codes

    /// A code and its message, prepared before the change.
    private struct PreparedCode: Sendable {
        let digest: SecretDigest
        let delivery: Delivery
    }

    private func prepare(for device: NumberedDevice, _ number: PhoneNumber) async throws -> PreparedCode {
        let keys = try await keys.current()
        let code = mint.digits(PhoneNumber.codeDigits)
        let now = clock.now()
        let words = MessageWords(language: device.language ?? language).text(.code(code), from: issuer.authority)
        return PreparedCode(
            digest: Self.digest(of: code, for: device.id, number, by: keys),
            delivery: try Delivery.text(
                words, to: number, id: mint.identifier(), device: device.id, made: now,
                expires: now + PhoneNumber.codeLifetime, sealedBy: keys)
        )
    }

    private func register(
        _ number: PhoneNumber,
        for device: NumberedDevice,
        from address: String?,
        sending code: PreparedCode,
        in repositories: any Repositories
    ) throws -> NumberOutcome {
        let now = clock.now()
        var record =
            try repositories.phoneRegistrations.find(device.id)
            ?? PhoneRegistrationRecord(device.id, PhoneRegistration(), touched: now)
        record.touched = now
        let holder = try repositories.phoneNumbers.find(number)
        if case .verified(number) = record.registration.state, let holder,
            holder.device == device.id || holder.subject == device.subject
        {
            try keepNumber(holder, by: device, from: address, in: repositories)
            return .verified(number, of: holder.subject)
        }
        let party = try budget.party(of: device.id, device.subject, for: number, at: address, in: repositories)
        // The device has a valid code, and the next one is paused.
        if record.registration.hasLiveCode(for: number, at: now),
            try budget.isPaused(number, for: party, in: repositories)
        {
            return .pending(number)
        }
        // Nothing is sent if the verification would have no effect; the answer is the same.
        let isSent = holder != nil || device.subject != nil || settings.makesPeople
        try budget.spend(on: number, for: party, isSent: isSent, in: repositories)
        record.registration.send(code.digest, to: number, at: now)
        try PhoneNumbers(repositories).keep(record, telling: newDevices)
        if isSent { try repositories.deliveries.insert(code.delivery) }
        return .pending(number)
    }

    /// The device with its current person, who may have changed since the look-up.
    ///
    /// - Throws: ``RemovedDeviceError``.
    private func current(_ device: NumberedDevice, in repositories: any Repositories) throws -> NumberedDevice {
        guard let stored = try repositories.devices.find(device.id) else { throw RemovedDeviceError() }
        var device = device
        device.subject = stored.subject
        return device
    }

    /// The keyed digest of a code; a plain digest could be reversed.
    private static func digest(
        of code: String, for device: DeviceRegistration.ID, _ number: PhoneNumber, by keys: Keys
    ) -> SecretDigest {
        let text = "\(device)\n\(number.text)\n\(code)"
        return SecretDigest(of: keys.authenticationCode(for: text, use: "code for a telephone number"))
    }
}
