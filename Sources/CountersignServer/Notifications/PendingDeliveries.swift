internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The messages that are still to be delivered: hastens them, and ends those that did not succeed.
package struct PendingDeliveries {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Ends a delivery that did not succeed.
    ///
    /// An address that is dead is forgotten, and the message goes to the one that took its place, if there is one. When
    /// it was the last way to reach a person, they are told by a text, or the request has failed. Text messages and
    /// calls of servers get an entry in the audit.
    ///
    /// - Parameters:
    ///   - delivery: The delivery.
    ///   - failure: The kind of failure.
    ///   - reason: The reason, for the audit.
    ///   - mint: Names the messages about what the person is asked next.
    ///   - now: The current time.
    ///   - tellByText: Sends a text about a request where that is wanted; returns whether one is on its way.
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
        try repositories.deliveries.update(delivery)
        switch delivery.content {
        case .push:
            try noteIfUndeliverable(delivery, by: mint, at: now, otherwise: tellByText)
        case .text:
            try noteIfUndeliverable(delivery, by: mint, at: now, otherwise: tellByText)
            try audit(delivery, failure, because: reason, at: now)
        case .webhook, .newDevice, .limitAlarm:
            try audit(delivery, failure, because: reason, at: now)
        }
    }

    /// Whether there is still something to tell by a delivery: the call of a customer's server says what became of a
    /// request, which is kept for some hours only.
    package func hasContent(of delivery: Delivery) throws -> Bool {
        guard case .webhook(_, let request) = delivery.content else { return true }
        return try repositories.exchanges.find(SignInRequest.ID(request.rawValue)) != nil
    }

    /// Makes messages due at once that are waiting and have not been attempted.
    func hasten(_ made: [Delivery], at now: Date) throws {
        for var delivery in made where delivery.isWaiting && delivery.attempts == 0 && delivery.due > now {
            delivery.due = now
            try repositories.deliveries.update(delivery)
        }
    }

    /// Has the site's server told at once what became of a request that was decided or has failed.
    func hastenWebhooks(about request: SignInRequest.ID, at now: Date) throws {
        try hasten(
            repositories.deliveries.all(about: request).filter {
                if case .webhook = $0.content { true } else { false }
            }, at: now)
    }

    /// Forgets an address that is dead; returns the one that the device uses in its place, if it has another.
    ///
    /// An address that an unproved device of the older dialect offered is used from now on. Messages no longer go to
    /// the address before, so an attacker cannot divert any.
    private func successor(
        of address: PushAddress,
        for device: DeviceRegistration.ID?,
        at now: Date
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

    /// Falls back to a text when no message about a request waits or was delivered. If no text can be sent, marks the
    /// request as failed; the customer's server is told at once, and the person's next request is announced.
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
        // Once its time is over it has expired, whatever became of the messages.
        guard !hasOtherWay, var stored = try repositories.exchanges.find(request),
            now < stored.exchange.request.deadline,
            try !tellByText(stored)
        else { return }
        // Without push services nothing has failed: devices ask the server by themselves.
        guard !all.contains(where: \.isLeftToDevice), stored.noteUndeliverable() else { return }
        try repositories.exchanges.update(stored)
        try hastenWebhooks(about: request, at: now)
        try Announcements(repositories).announceNext(after: stored, by: mint, at: now)
    }

    private func audit(
        _ delivery: Delivery,
        _ failure: Delivery.Failure,
        because reason: String,
        at now: Date
    ) throws {
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .messageNotDelivered,
                by: .server,
                request: delivery.request,
                detail: "\(delivery.kind) \(failure.rawValue): \(reason)"
            )
        )
    }
}

extension Delivery {
    /// Whether it is a push message that no service is set up for, so that its device asks by itself.
    fileprivate var isLeftToDevice: Bool {
        guard case .push = content, case .failed(.noWay, at: _) = state else { return false }
        return true
    }
}
