internal import Countersign
internal import CountersignWire
internal import Foundation

extension Repositories {
    /// Ends a delivery that did not succeed.
    ///
    /// An address that is dead is forgotten. When it was the last way to reach a person, the request has failed. Text
    /// messages and calls of servers get an entry in the audit.
    func fail(
        _ delivery: Delivery,
        _ failure: Delivery.Failure,
        because reason: String,
        at now: Date
    ) throws {
        var delivery = delivery
        delivery.end(.failed(failure, at: now))
        try deliveries.update(delivery)
        switch delivery.content {
        case .push(_, to: let address):
            if failure == .deadAddress {
                try devices.forgetPushAddress(of: PushToken(revealing: address.token), at: now)
            }
            // A server without push services is none that failed: devices ask it by themselves.
            if failure != .noWay { try noteIfUndeliverable(delivery, at: now) }
        case .text:
            try noteIfUndeliverable(delivery, at: now)
            try audit(delivery, failure, because: reason, at: now)
        case .webhook, .newDevice:
            try audit(delivery, failure, because: reason, at: now)
        }
    }

    /// Notes that a request has failed when no message about it waits or arrived; the customer's server is told at once.
    private func noteIfUndeliverable(_ delivery: Delivery, at now: Date) throws {
        guard let request = delivery.request else { return }
        let all = try deliveries.all(about: request)
        let hasOtherWay = all.contains { other in
            if case .webhook = other.content { return false }
            if case .failed = other.state { return false }
            return true
        }
        // Once its time is over it has expired, whatever became of the messages.
        guard !hasOtherWay, var stored = try exchanges.find(request), now < stored.exchange.request.deadline,
            stored.noteUndeliverable()
        else { return }
        try exchanges.update(stored)
        try hastenWebhooks(about: request, at: now)
    }

    private func audit(
        _ delivery: Delivery,
        _ failure: Delivery.Failure,
        because reason: String,
        at now: Date
    ) throws {
        try record(
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
