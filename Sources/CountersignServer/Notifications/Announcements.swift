internal import FoundationEssentialsCompat

/// The push messages to the devices of a person about requests and new devices.
struct Announcements {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Queues push messages about a request, in the change that stores it.
    ///
    /// There are none in the quiet time of a person, and none for a silent request. Only the oldest request to approve
    /// is announced; each other one follows when the earlier ones are decided or have expired.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - takesLegacyDevices: Whether devices with the older SDK are enabled.
    ///   - mint: The source of the identifiers of messages.
    ///   - now: The current time.
    /// - Returns: Whether a device of the person can receive push messages, now or after the quiet time.
    @discardableResult
    func announce(
        _ stored: SignInExchangeRecord,
        takingLegacyDevices takesLegacyDevices: Bool = true,
        by mint: CodeMint,
        at now: Date
    ) throws -> Bool {
        let request = stored.exchange.request
        guard let subject = request.personAsked, !stored.method.isTextOnly else { return false }
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
                    // A device that has to be registered first may show any of them.
                    due: try turn(of: stored, among: waiting, at: now) { earlier in
                        try !isEnrolled || EnrolledDevices(repositories).mayAnswer(earlier, on: device)
                    }
                )
            )
        }
        if !isQuiet { try announceToBrowsers(stored, of: subject, among: waiting, by: mint, at: now) }
        return isReached
    }

    /// Queues push messages to the registered browsers of a person about a request for the account page.
    ///
    /// Browsers do not count as devices that can be reached: the person may have closed them.
    private func announceToBrowsers(
        _ stored: SignInExchangeRecord, of subject: Subject, among waiting: [SignInExchangeRecord], by mint: CodeMint,
        at now: Date
    ) throws {
        guard RequestInbox.isOnAccountPage(stored, of: subject) else { return }
        let due = turn(of: stored, among: waiting, at: now) { RequestInbox.isOnAccountPage($0, of: subject) }
        let payload = PushPayload(.instant, request: AuthenticationRequest.ID(stored.id.rawValue))
        for push in try BrowserPushes(repositories).live(of: subject, at: now) {
            try repositories.deliveries.insert(
                Delivery(
                    id: mint.identifier(), .browserPush(payload, to: push.session, at: push.subscription.origin),
                    about: stored.id, made: now, expires: stored.exchange.request.deadline, due: due))
        }
    }

    /// Withdraws the pending messages about a decided request, and announces the next one.
    func withdraw(of stored: SignInExchangeRecord, by mint: CodeMint, at now: Date) throws {
        guard stored.exchange.request.personAsked != nil else { return }
        _ = try repositories.deliveries.withdraw(about: stored.id, at: now)
        try announceNext(after: stored, by: mint, at: now)
    }

    /// Announces the person's next request to approve, after a request of that kind has ended.
    func announceNext(after over: SignInExchangeRecord, by mint: CodeMint, at now: Date) throws {
        guard over.method.kind == .instant, let subject = over.exchange.request.personAsked else { return }
        let waiting = try RequestInbox(repositories).answerable(by: subject, at: now).filter {
            $0.method.kind == .instant
        }
        guard let oldest = waiting.first else { return }
        // Each device shows the oldest request that it may answer; these may differ.
        var next: [SignInRequest.ID: Set<DeviceRegistration.ID>] = [oldest.id: []]
        for device in try repositories.devices.all(of: subject) {
            guard let first = try waiting.first(where: { try EnrolledDevices(repositories).mayAnswer($0, on: device) })
            else { continue }
            next[first.id, default: []].insert(device.id)
        }
        let onPage = waiting.first { RequestInbox.isOnAccountPage($0, of: subject) }?.id
        if let onPage, next[onPage] == nil { next[onPage] = [] }
        for stored in waiting {
            guard let showing = next[stored.id] else { continue }
            let made = try repositories.deliveries.all(about: stored.id).filter(\.isPush)
            guard !made.isEmpty else {
                try announce(stored, by: mint, at: now)
                continue
            }
            let isOldest = stored.id == oldest.id
            try PendingDeliveries(repositories).hasten(
                made.filter { delivery in
                    delivery.isBrowserPush
                        ? stored.id == onPage : isOldest || delivery.device.map { showing.contains($0) } == true
                }, at: now)
        }
    }

    /// Notifies the other devices of a person of a new one, also in the quiet time, which the new device could have
    /// set. Returns whether there is any that can be reached.
    func announceAddition(of added: EnrolledDevice, by mint: CodeMint, at now: Date) throws -> Bool {
        guard let subject = added.subject else { return false }
        let others = try pushable(of: subject, at: now).filter { $0.0.id != added.id }
        for (device, address) in others { try push(to: address, of: device.id, for: 86_400, by: mint, at: now) }
        return !others.isEmpty
    }

    /// Notifies the devices of a person of the reuse of a ticket, which shows that its code was copied. The device of
    /// the first use may be removed in the same change, so its message names no device.
    func announceReuse(by first: Grant.ID, by mint: CodeMint, at now: Date) throws {
        guard let device = try repositories.devices.find(first), let subject = device.subject else { return }
        for (other, address) in try pushable(of: subject, at: now) {
            try push(to: address, of: other.id == device.id ? nil : other.id, for: 86_400, by: mint, at: now)
        }
    }

    /// Notifies the devices of a person of a change of their account. They may be removed in the same change, so the
    /// messages name no device.
    func announceChange(of subject: Subject, by mint: CodeMint, at now: Date) throws {
        for (_, address) in try pushable(of: subject, at: now) {
            try push(to: address, of: nil, for: 86_400, by: mint, at: now)
        }
    }

    /// Queues a push message without a request, which lets an app fetch what has changed.
    ///
    /// - Parameter lifetime: The time for its delivery, in seconds.
    func push(
        to address: PushAddress, of device: DeviceRegistration.ID?, for lifetime: TimeInterval, by mint: CodeMint,
        at now: Date
    ) throws {
        let content = Delivery.Content.push(PushPayload(nil), to: address)
        try repositories.deliveries.insert(
            Delivery(id: mint.identifier(), content, device: device, made: now, expires: now + lifetime))
    }

    /// The devices of a person that can receive push messages, each with its address.
    func pushable(of subject: Subject, at now: Date) throws -> [(EnrolledDevice, PushAddress)] {
        try repositories.devices.all(of: subject).compactMap { device in
            try pushAddress(of: device, at: now).map { (device, $0) }
        }
    }

    /// The current push address of a device; `nil` when it can receive no push messages.
    func pushAddress(of device: EnrolledDevice, at now: Date) throws -> PushAddress? {
        let app = try device.appKey.flatMap { try repositories.authenticatorApps.find($0) }
        guard let address = device.pushAddress(in: app) else { return nil }
        // The sign-in of an app may have expired.
        return try EnrolledDevices(repositories).hasLiveSignIn(device, at: now) ? address : nil
    }

    /// The due time of a request's message: now, or the last deadline of all earlier requests to approve.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - waiting: All pending requests of its person, in the order of their display.
    ///   - now: The current time.
    ///   - isShown: Whether the receiver may show an earlier request, so that it counts.
    private func turn(
        of stored: SignInExchangeRecord, among waiting: [SignInExchangeRecord], at now: Date,
        behind isShown: (SignInExchangeRecord) throws -> Bool
    ) rethrows -> Date {
        guard stored.method.kind == .instant else { return now }
        let before = try waiting.prefix { $0.id != stored.id }.filter { earlier in
            try earlier.method.kind == .instant && isShown(earlier)
        }
        return before.map(\.exchange.request.deadline).max() ?? now
    }
}

extension Delivery {
    /// Whether it is a push message to a browser.
    fileprivate var isBrowserPush: Bool { if case .browserPush = content { true } else { false } }

    /// Whether it is a push message to a device or a browser.
    fileprivate var isPush: Bool { if case .push = content { true } else { isBrowserPush } }
}
