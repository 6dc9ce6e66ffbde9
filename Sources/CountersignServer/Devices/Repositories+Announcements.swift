internal import Countersign
internal import CountersignWire
internal import Foundation

extension Repositories {
    /// Lets a person's devices know of a request by push, in the change that stores it.
    ///
    /// A person who wants to be left alone is not pushed, and of the requests to approve only the oldest is announced:
    /// the next one follows when that is decided. Devices that ask by themselves need no push.
    func announce(_ stored: SignInExchangeRecord, by mint: CodeMint, at now: Date) throws {
        let request = stored.exchange.request
        guard let subject = request.addressee, stored.authenticator?.messageType != .sms,
            try inbox(of: subject, at: now).contains(where: { $0.id == stored.id })
        else { return }
        let environment = stored.authenticator?.environment
        let payload = PushPayload(
            stored.kind == .instant ? .instant : .oneTimePassword,
            environment: environment,
            request: AuthenticationRequest.ID(stored.id.rawValue)
        )
        for (device, address) in try pushable(of: subject, at: now) {
            guard try answers(device, for: environment) else { continue }
            try deliveries.insert(
                Delivery(
                    id: mint.identifier(),
                    .push(payload, to: address),
                    for: environment,
                    about: stored.id,
                    device: device.id,
                    made: now,
                    expires: request.deadline
                )
            )
        }
    }

    /// Takes back what devices were to be told of a request, because it is decided, and announces the next one.
    func withdrawAnnouncements(of stored: SignInExchangeRecord, by mint: CodeMint, at now: Date) throws {
        guard let subject = stored.exchange.request.addressee else { return }
        _ = try deliveries.withdraw(about: stored.id, at: now)
        guard stored.kind == .instant, let next = try inbox(of: subject, at: now).first(where: { $0.kind == .instant }),
            try deliveries.all(about: next.id).isEmpty
        else { return }
        try announce(next, by: mint, at: now)
    }

    /// Lets the other devices of a person know that one was added.
    func announceAddition(of added: EnrolledDevice, by mint: CodeMint, at now: Date) throws {
        guard let subject = added.subject else { return }
        for (device, address) in try pushable(of: subject, at: now) where device.id != added.id {
            try deliveries.insert(
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

    /// The devices of a person that may be pushed now, each with its address.
    private func pushable(of subject: Subject, at now: Date) throws -> [(EnrolledDevice, PushAddress)] {
        if let quiet = try devices.quiet(of: subject), now < quiet { return [] }
        return try devices.all(of: subject).compactMap { device in
            guard let address = device.pushAddress else { return nil }
            // The sign-in of an app may have ended by itself.
            if let signIn = device.signIn {
                guard let record = try signIns.find(signIn), record.revoked == nil, now < record.ends else {
                    return nil
                }
            }
            return (device, address)
        }
    }

    /// Whether a device answers for an environment, or for clients over the back channel. Devices of our own dialect
    /// answer whatever their person is asked.
    private func answers(_ device: EnrolledDevice, for environment: EnvironmentID?) throws -> Bool {
        switch device.dialect {
        case .signed: true
        case .shared: try environment.map { try devices.enrollment(of: device.id, in: $0) != nil } ?? false
        }
    }
}
