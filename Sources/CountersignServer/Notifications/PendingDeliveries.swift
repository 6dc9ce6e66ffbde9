internal import FoundationEssentialsCompat

/// The pending deliveries: makes them due, and ends failed ones.
package struct PendingDeliveries {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Ends a failed delivery.
    ///
    /// A dead push address is removed, and its message goes to the device's new address, if there is one. If it was the
    /// last message about a request, a text follows, or the request fails. Failures of text messages, mails and webhook
    /// calls are audited.
    ///
    /// - Parameters:
    ///   - delivery: The delivery.
    ///   - failure: The kind of failure.
    ///   - reason: The reason, for the audit.
    ///   - mint: The source of the identifiers of messages.
    ///   - now: The current time.
    ///   - tellByText: Queues a text about a request if its site wants one; returns whether it did.
    func fail(
        _ delivery: Delivery,
        _ failure: Delivery.Failure,
        because reason: String,
        by mint: CodeMint,
        at now: Date,
        otherwise tellByText: (SignInExchangeRecord) throws -> Bool
    ) throws {
        var delivery = delivery
        if failure == .deadAddress, case .push(let payload, to: let address) = delivery.content,
            let next = try successor(of: address, for: delivery.device, at: now)
        {
            delivery.content = .push(payload, to: next)
            delivery.due = now
            return try repositories.deliveries.update(delivery)
        }
        delivery.end(.failed(failure, at: now))
        delivery.note(reason)
        try repositories.deliveries.update(delivery)
        switch delivery.content {
        case .push:
            try noteIfUndeliverable(delivery, by: mint, at: now, otherwise: tellByText)
        case .text:
            try noteIfUndeliverable(delivery, by: mint, at: now, otherwise: tellByText)
            try audit(delivery, failure, because: reason, at: now)
        case .browserPush(_, to: let session, at: _):
            if failure == .deadAddress { try forgetBrowser(session, knownSince: delivery.made) }
            try noteIfUndeliverable(delivery, by: mint, at: now, otherwise: tellByText)
        case .mail, .webhook, .newDevice, .limitAlarm:
            try audit(delivery, failure, because: reason, at: now)
        }
    }

    /// Whether a delivery still has content: a webhook call needs its request, which is stored for some hours only.
    package func hasContent(of delivery: Delivery) throws -> Bool {
        guard case .webhook(_, let request) = delivery.content else { return true }
        return try repositories.exchanges.find(SignInRequest.ID(request.rawValue)) != nil
    }

    /// Makes pending messages without attempts due now.
    func hasten(_ made: [Delivery], at now: Date) throws {
        for var delivery in made where delivery.isWaiting && delivery.attempts == 0 && delivery.due > now {
            delivery.due = now
            try repositories.deliveries.update(delivery)
        }
    }

    /// Makes the webhook call about a decided or failed request due now.
    func hastenWebhooks(about request: SignInRequest.ID, at now: Date) throws {
        try hasten(
            repositories.deliveries.all(about: request).filter {
                if case .webhook = $0.content { true } else { false }
            }, at: now)
    }

    /// Removes a dead push address; returns the device's other one, if it has one.
    ///
    /// An offered address of an unauthenticated device becomes the current one. The previous address is dead, so an
    /// attacker diverts no messages.
    private func successor(
        of address: PushAddress, for device: DeviceRegistration.ID?, at now: Date
    ) throws -> PushAddress? {
        let token = PushToken(revealing: address.token)
        for var holder in try repositories.devices.all(with: token) where holder.confirmPushToken() {
            try repositories.devices.update(holder)
        }
        try repositories.devices.forgetPushAddress(of: token, at: now)
        guard let device = try device.flatMap({ try repositories.devices.find($0) }) else { return nil }
        return try Announcements(repositories).pushAddress(of: device, at: now).flatMap {
            $0.token == address.token ? nil : $0
        }
    }

    /// Removes the registration of a browser whose address is dead, unless it was registered anew meanwhile.
    private func forgetBrowser(_ session: ApproverID, knownSince made: Date) throws {
        guard let push = try repositories.browserPushes.find(session), push.added <= made else { return }
        _ = try repositories.browserPushes.remove(session)
    }

    /// Queues a text when no message about a request is pending or delivered. If no text can be sent, marks the request
    /// as failed, calls the webhook, and announces the person's next request.
    private func noteIfUndeliverable(
        _ delivery: Delivery,
        by mint: CodeMint,
        at now: Date,
        otherwise tellByText: (SignInExchangeRecord) throws -> Bool
    ) throws {
        guard let request = delivery.request else { return }
        let all = try repositories.deliveries.all(about: request)
        let hasOtherWay = all.contains { other in
            if case .webhook = other.content { return false }
            if case .failed = other.state { return false }
            return true
        }
        // A request that was announced to browsers alone is on the account page all the same.
        guard all.contains(where: \.isForPhone) else { return }
        // After its deadline it has expired, whatever the state of its messages.
        guard !hasOtherWay, var stored = try repositories.exchanges.find(request),
            now < stored.exchange.request.deadline,
            try !tellByText(stored)
        else { return }
        // Without push services nothing has failed: devices poll.
        guard !all.contains(where: \.isLeftToDevice), stored.noteUndeliverable() else { return }
        try repositories.exchanges.update(stored)
        try hastenWebhooks(about: request, at: now)
        try Announcements(repositories).announceNext(after: stored, by: mint, at: now)
    }

    private func audit(_ delivery: Delivery, _ failure: Delivery.Failure, because reason: String, at now: Date) throws {
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .messageNotDelivered, by: .server, request: delivery.request,
                detail: "\(delivery.kind) \(failure.rawValue): \(reason)")
        )
    }
}

extension Delivery {
    /// Whether it is a message to a device or a telephone number.
    fileprivate var isForPhone: Bool {
        switch content {
        case .push, .text: true
        case .browserPush, .mail, .webhook, .newDevice, .limitAlarm: false
        }
    }

    /// Whether it is a push message without a configured service, so that its device polls.
    fileprivate var isLeftToDevice: Bool {
        guard case .push = content, case .failed(.noWay, at: _) = state else { return false }
        return true
    }
}
