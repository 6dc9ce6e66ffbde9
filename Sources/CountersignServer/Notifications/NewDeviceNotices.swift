internal import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The operator's webhook that is told of each new device.
public struct DeviceWebhook: Sendable, Equatable {
    /// The address of the webhook.
    public let address: String
    /// The secret that signs what it is told.
    public let secret: WebhookSecret

    /// Settings of a webhook; `nil` when the server calls no such address, or the secret has less than
    /// ``WebhookSecret/least`` bytes.
    public init?(at address: String, secret: WebhookSecret) {
        guard NotificationAddress.objection(to: address, isSelfRegistered: false) == nil,
            secret.revealed.utf8.count >= WebhookSecret.least
        else { return nil }
        self.address = address
        self.secret = secret
    }
}

/// Lets the operator's webhook and the person's other devices know of each new device, by deliveries that are stored in
/// the change that adds the device.
struct NewDeviceNotices: Sendable {
    let mint: CodeMint
    /// Whether there is a webhook.
    let isOn: Bool

    /// A screen or app was signed in.
    func tell(of grant: Grant, by way: NewDevice.Way, at now: Date, in repositories: any Repositories) throws {
        try tell(
            of: NewDevice(.signIn(grant.id), of: grant.subject, client: grant.client, by: way, added: now),
            at: now,
            in: repositories
        )
    }

    /// A device was added that answers requests, or became another person's.
    func tell(
        of device: EnrolledDevice,
        client: ClientID?,
        by way: NewDevice.Way,
        at now: Date,
        in repositories: any Repositories
    ) throws {
        guard let subject = device.subject else { return }
        try Announcements(repositories).announceAddition(of: device, by: mint, at: now)
        try tell(
            of: NewDevice(.device(device.id), of: subject, client: client, by: way, added: now),
            at: now,
            in: repositories
        )
    }

    private func tell(of device: NewDevice, at now: Date, in repositories: any Repositories) throws {
        guard isOn else { return }
        try repositories.deliveries.insert(
            Delivery(
                id: mint.identifier(),
                .newDevice(device),
                made: now,
                expires: now + DeliveryTimes.webhookLifetime
            )
        )
    }
}

extension SignInExchangeRecord {
    /// The way that led to the sign-in of the client; `nil` where the method of its request does not say it.
    func way(of grant: Grant) -> NewDevice.Way? {
        switch method {
        case .deviceCode:
            let proofs = grant.evidence.proofs
            if exchange.request.domain != nil { return .crossPlatform }
            if proofs.contains(where: { if case .nearby = $0 { true } else { false } }) { return .nearby }
            return proofs.contains(.linkOpened) && !proofs.contains(.codeTyped) ? .link : .code
        case .singleSignOn: return .automatic
        case .authorizationCode(let binding): return binding.session == nil ? .appToApp : .browser
        case .backchannel: return .backChannel
        case .customerSite, .immediateGrant: return nil
        }
    }
}
