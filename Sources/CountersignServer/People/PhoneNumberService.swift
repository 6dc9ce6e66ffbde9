internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A device that wants to prove its telephone number.
struct NumberedDevice: Sendable {
    /// The device.
    let id: DeviceRegistration.ID
    /// The person whose sign-in it is; `nil` for a device of the older dialect that has no owner yet.
    var subject: Subject?
    /// The language that it speaks; `nil` when it names none of ours.
    var language: PageLanguage?
}

extension NumberedDevice {
    /// An enrolled device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - ranges: The languages that its request prefers, for a device that does not say its own; nothing by default.
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
    /// It proved no number.
    case unverified
    /// It has to type a code, or to wait until the number is its own. Whether a code was really sent is not told.
    case pending(PhoneNumber)
    /// It proved the number, which belongs to this person.
    case verified(PhoneNumber, of: Subject)

    /// The status as the wire has it.
    var status: RegistrationStatus {
        switch self {
        case .unverified: .unverified
        case .pending: .pending
        case .verified: .verified
        }
    }

    /// The number that the device has or wants.
    var number: PhoneNumber? {
        switch self {
        case .unverified: nil
        case .pending(let number), .verified(let number, of: _): number
        }
    }
}

/// The result of typing a code.
enum TypedCodeOutcome: Sendable, Equatable {
    /// It was right, or none was needed any more: how far the device is now.
    case right(NumberOutcome)
    /// It is another one; the device may try again.
    case wrong
    /// No code is expected: none was sent, its time is over, or it was guessed at too often.
    case notExpected
}

/// The operator serves no numbers of this kind.
struct UnservedNumberError: Error, Sendable, Equatable {}

/// A telephone number that the operator sends codes to; made by ``PhoneNumberService/served(_:)`` alone.
struct ServedNumber: Sendable {
    /// The number.
    let number: PhoneNumber

    fileprivate init(_ number: PhoneNumber) { self.number = number }
}

/// A device was removed while its number was being proved.
struct RemovedDeviceError: Error, Sendable, Equatable {}

/// Proves the telephone numbers of devices by codes in text messages.
///
/// Reading a text message suggests who owns the telephone, and proves no identity: a number of another person moves
/// only after a delay, while the device that has it may object. Answers are the same whether the number is registered
/// or not. The owner's devices are counted separately, so strangers cannot lock them out.
struct PhoneNumberService: Sendable {
    let store: any Store
    let keys: KeyRing
    let random: RandomSource
    let mint: CodeMint
    let clock: TimeSource
    let settings: PhoneNumberSettings
    let issuer: Issuer
    /// The language of texts to devices that name none.
    let language: PageLanguage
    let limits: StoredRateLimiter
    let newDevices: NewDeviceNotices
    private var budget: MessageBudget { MessageBudget(limits: limits) }

    // MARK: What device APIs call

    /// Makes sure, before anything is stored, that the operator serves a number.
    func served(_ number: PhoneNumber) throws(UnservedNumberError) -> ServedNumber {
        guard
            settings.servedPrefixes.isEmpty
                || settings.servedPrefixes.contains(where: { number.text.dropFirst().hasPrefix($0) })
        else { throw UnservedNumberError() }
        return ServedNumber(number)
    }

    /// A device names its number: a code is sent there, unless it has proved it already.
    ///
    /// - Parameters:
    ///   - served: The number.
    ///   - device: The device.
    ///   - address: The network address of the request.
    /// - Throws: ``RemovedDeviceError``, or ``RateLimitError``: too many codes, or too soon after the last one.
    func register(
        _ served: ServedNumber,
        for device: NumberedDevice,
        from address: String?
    ) async throws -> NumberOutcome {
        let number = served.number
        let code = try await prepare(for: device, number)
        return try await store.change { repositories in
            let device = try current(device, in: repositories)
            return try register(number, for: device, from: address, sending: code, in: repositories)
        }
    }

    /// A device types the code that was sent to it.
    ///
    /// - Parameter code: The code as it was typed; groups do not matter, nor the script of its digits.
    /// - Throws: ``RemovedDeviceError``, or ``RateLimitError`` after too many wrong codes from one network address.
    func verify(
        _ code: String,
        for device: NumberedDevice,
        from address: String?
    ) async throws -> TypedCodeOutcome {
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
            let challenge: PhoneRegistration.Challenge
            switch record.registration.state {
            case .pending(let pending, before: _): challenge = pending
            case .unverified: return .notExpected
            case .moving, .verified: return .right(try outcome(of: record, in: repositories))
            }
            let typed = Self.digest(of: TypedText.folded(code), for: device.id, challenge.number, by: keys)
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

    /// The verification status of a device, by what is stored.
    func outcome(of record: PhoneRegistrationRecord, in repositories: any Repositories) throws -> NumberOutcome {
        switch record.registration.state {
        case .unverified: return .unverified
        case .pending(let challenge, before: _): return .pending(challenge.number)
        case .moving(let number, until: _): return .pending(number)
        case .verified(let number):
            guard let kept = try repositories.phoneNumbers.find(number) else { return .unverified }
            return .verified(number, of: kept.subject)
        }
    }

    // MARK: Sending codes

    /// A code with everything that does not depend on the store, so that the change is short.
    private struct PreparedCode: Sendable {
        let digest: SecretDigest
        let delivery: Delivery
    }

    private func prepare(for device: NumberedDevice, _ number: PhoneNumber) async throws -> PreparedCode {
        let keys = try await keys.current()
        let code = mint.digits(PhoneRegistration.digits)
        let now = clock.now()
        let words = MessageWords(language: device.language ?? language).text(.code(code), from: issuer.authority)
        return PreparedCode(
            digest: Self.digest(of: code, for: device.id, number, by: keys),
            delivery: try Delivery.text(
                words,
                to: number,
                id: mint.identifier(),
                device: device.id,
                made: now,
                expires: now + PhoneRegistration.codeLifetime,
                sealedBy: keys
            )
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
        // The code that it has is as good as the next one, which it would have to wait for.
        if record.registration.hasLiveCode(for: number, at: now),
            try budget.isPaused(number, for: party, in: repositories)
        {
            return .pending(number)
        }
        // No message is sent if verifying the number would have no effect; the answer is the same.
        let isSent = holder != nil || device.subject != nil || settings.makesPeople
        try budget.spend(on: number, for: party, isSent: isSent, in: repositories)
        record.registration.send(code.digest, to: number, at: now)
        try PhoneNumbers(repositories).keep(record, telling: newDevices)
        if isSent { try repositories.deliveries.insert(code.delivery) }
        return .pending(number)
    }

    /// A device as it is in this change, whose person may have changed since it was looked up.
    ///
    /// - Throws: ``RemovedDeviceError``.
    private func current(_ device: NumberedDevice, in repositories: any Repositories) throws -> NumberedDevice {
        guard let stored = try repositories.devices.find(device.id) else { throw RemovedDeviceError() }
        var device = device
        device.subject = stored.subject
        return device
    }

    /// The keyed digest of a code. There are too few codes for a plain digest.
    private static func digest(
        of code: String,
        for device: DeviceRegistration.ID,
        _ number: PhoneNumber,
        by keys: Keys
    ) -> SecretDigest {
        let text = "\(device)\n\(number.text)\n\(code)"
        return SecretDigest(of: keys.authenticationCode(for: text, use: "code for a telephone number"))
    }
}

extension Delivery {
    /// A text message whose words are sealed for the store.
    ///
    /// - Throws: An error of the seal, which does not happen with a key in memory.
    static func text(
        _ words: MessageText,
        to number: PhoneNumber,
        id: ID,
        for environment: CustomerSiteID? = nil,
        about request: SignInRequest.ID? = nil,
        device: DeviceRegistration.ID? = nil,
        made: Date,
        expires: Date,
        sealedBy keys: Keys
    ) throws -> Delivery {
        let sealed = SealedText(restoring: try keys.seal.sealed(Array(words.revealed.utf8), for: .message(id)))
        return Delivery(
            id: id,
            .text(sealed, to: number),
            for: environment,
            about: request,
            device: device,
            made: made,
            expires: expires
        )
    }
}
