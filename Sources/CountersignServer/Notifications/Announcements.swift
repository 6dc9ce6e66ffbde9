internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The push messages that let the devices of a person know of requests, and of one another.
struct Announcements {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Lets a person's devices know of a request by push, in the change that stores it.
    ///
    /// A person who muted prompts gets no push, and a silent request has none. Only the oldest of the requests to approve is announced: the others
    /// follow when those before them are decided, or over. Devices that poll need no push.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - takesLegacyDevices: Whether devices of the older dialect are answered at all.
    ///   - mint: Names the messages.
    ///   - now: The current time.
    /// - Returns: Whether the person has a device that push messages reach, now or later.
    @discardableResult
    func announce(
        _ stored: SignInExchangeRecord,
        takingLegacyDevices takesLegacyDevices: Bool = true,
        by mint: CodeMint,
        at now: Date
    ) throws -> Bool {
        let request = stored.exchange.request
        guard let subject = request.addressee, !stored.method.isTextOnly else { return false }
        let waiting = try RequestInbox(repositories).answerable(by: subject, at: now)
        guard waiting.contains(where: { $0.id == stored.id }) else { return false }
        let isQuiet = try stored.terms.isSilent || EnrolledDevices(repositories).wantsQuiet(subject, at: now)
        let environment = try stored.method.environment.flatMap { try repositories.environments.find($0) }
        var isReached = false
        for (device, address) in try pushable(of: subject, at: now) {
            if device.dialect == .shared {
                guard takesLegacyDevices, environment?.allowsLegacyDevices == true else {
                    continue
                }
            }
            isReached = true
            guard !isQuiet else { continue }
            let isEnrolled = try EnrolledDevices(repositories).mayAnswer(stored, on: device)
            let kind: PushPayload.Kind =
                isEnrolled ? stored.method.kind == .instant ? .instant : .oneTimePassword : .scan
            let payload = PushPayload(
                kind, environment: environment?.id, request: AuthenticationRequest.ID(stored.id.rawValue))
            try repositories.deliveries.insert(
                Delivery(
                    id: mint.identifier(),
                    .push(payload, to: address),
                    for: environment?.id,
                    about: stored.id,
                    device: device.id,
                    made: now,
                    expires: request.deadline,
                    due: try turn(of: stored, among: waiting, on: isEnrolled ? device : nil, at: now)
                )
            )
        }
        return isReached
    }

    /// Takes back what devices were to be told of a request, because it is decided, and announces the next one.
    func withdraw(of stored: SignInExchangeRecord, by mint: CodeMint, at now: Date) throws {
        guard stored.exchange.request.addressee != nil else { return }
        _ = try repositories.deliveries.withdraw(about: stored.id, at: now)
        try announceNext(after: stored, by: mint, at: now)
    }

    /// Announces the person's next request to approve, if the one that is over was such a request.
    func announceNext(after over: SignInExchangeRecord, by mint: CodeMint, at now: Date) throws {
        guard over.method.kind == .instant, let subject = over.exchange.request.addressee else { return }
        let waiting = try RequestInbox(repositories).answerable(by: subject, at: now).filter {
            $0.method.kind == .instant
        }
        guard let oldest = waiting.first else { return }
        // Each device shows the oldest of those that it may answer, which need not be the same one.
        var next: [SignInRequest.ID: Set<DeviceRegistration.ID>] = [oldest.id: []]
        for device in try repositories.devices.all(of: subject) {
            guard let first = try waiting.first(where: { try EnrolledDevices(repositories).mayAnswer($0, on: device) })
            else { continue }
            next[first.id, default: []].insert(device.id)
        }
        for stored in waiting {
            guard let showing = next[stored.id] else { continue }
            let made = try repositories.deliveries.all(about: stored.id).filter { delivery in
                if case .push = delivery.content { true } else { false }
            }
            guard !made.isEmpty else {
                try announce(stored, by: mint, at: now)
                continue
            }
            let isOldest = stored.id == oldest.id
            try PendingDeliveries(repositories).hasten(
                made.filter { isOldest || $0.device.map { showing.contains($0) } == true }, at: now)
        }
    }

    /// Lets the other devices of a person know that one was added, also while they want to be left alone: the one that
    /// was added could have asked for that.
    func announceAddition(of added: EnrolledDevice, by mint: CodeMint, at now: Date) throws {
        guard let subject = added.subject else { return }
        for (device, address) in try pushable(of: subject, at: now) where device.id != added.id {
            try repositories.deliveries.insert(
                Delivery(
                    id: mint.identifier(),
                    .push(PushPayload(nil), to: address),
                    device: device.id,
                    made: now,
                    expires: now + 86_400
                )
            )
        }
    }

    /// Lets the device that used a ticket know that the ticket was presented again, and the person's others with it: somebody
    /// has a copy of the code. The message goes to the address of that device, which may be about to be removed.
    func announceReuse(by first: Grant.ID, by mint: CodeMint, at now: Date) throws {
        guard let device = try repositories.devices.find(first), let subject = device.subject else { return }
        for (other, address) in try pushable(of: subject, at: now) {
            try repositories.deliveries.insert(
                Delivery(
                    id: mint.identifier(),
                    .push(PushPayload(nil), to: address),
                    device: other.id == device.id ? nil : other.id,
                    made: now,
                    expires: now + 86_400
                )
            )
        }
    }

    /// The devices of a person that push messages reach, each with its address.
    func pushable(of subject: Subject, at now: Date) throws -> [(EnrolledDevice, PushAddress)] {
        try repositories.devices.all(of: subject).compactMap { device in
            try pushAddress(of: device, at: now).map { (device, $0) }
        }
    }

    /// The address for push messages to a device now; `nil` when it gets none.
    func pushAddress(of device: EnrolledDevice, at now: Date) throws -> PushAddress? {
        let app = try device.appKey.flatMap { try repositories.authenticatorApps.find($0) }
        guard let address = device.pushAddress(in: app) else { return nil }
        // The sign-in of an app may have ended by itself.
        return try EnrolledDevices(repositories).hasLiveSignIn(device, at: now) ? address : nil
    }

    /// The time of a request's turn to be shown: now, or when all requests to approve that were there before are over.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - waiting: All requests that wait for its person, in the order of their display.
    ///   - device: The device that shows it, so that only earlier requests that this device may show count; `nil` for
    ///     one that has to be registered first.
    ///   - now: The current time.
    private func turn(
        of stored: SignInExchangeRecord,
        among waiting: [SignInExchangeRecord],
        on device: EnrolledDevice?,
        at now: Date
    ) throws -> Date {
        guard stored.method.kind == .instant else { return now }
        let before = try waiting.prefix { $0.id != stored.id }.filter { earlier in
            guard earlier.method.kind == .instant else { return false }
            return try device == nil || EnrolledDevices(repositories).mayAnswer(earlier, on: device)
        }
        return before.map(\.exchange.request.deadline).max() ?? now
    }
}
