internal import FoundationEssentialsCompat

/// The operator's webhook for new devices and limits.
public struct DeviceWebhook: Sendable, Equatable {
    /// The address of the webhook.
    public let address: String
    /// The secret that signs the calls.
    public let secret: WebhookSecret

    /// Creates the settings; `nil` for an address that the server does not call, or a secret with less than
    /// ``WebhookSecret/least`` bytes.
    public init?(at address: String, secret: WebhookSecret) {
        guard NotificationAddress.objection(to: address, isSelfRegistered: false) == nil,
            secret.revealed.utf8.count >= WebhookSecret.least
        else { return nil }
        self.address = address
        self.secret = secret
    }
}

/// Notifies the operator's webhook and the person's other devices of each new device, by deliveries in the change that
/// adds the device.
struct NewDeviceNotices: Sendable {
    let mint: CodeMint
    /// Whether there is a webhook.
    let isOn: Bool

    /// Queues the notice of a signed-in screen or app.
    func tell(of grant: Grant, by way: NewDevice.Way, at now: Date, in repositories: any Repositories) throws {
        try tell(
            of: NewDevice(.signIn(grant.id), of: grant.subject, client: grant.client, by: way, added: now), at: now,
            in: repositories)
    }

    /// Queues the notices of an enrolled device that is new for its person.
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
            of: NewDevice(.device(device.id), of: subject, client: client, by: way, added: now), at: now,
            in: repositories)
    }

    private func tell(of device: NewDevice, at now: Date, in repositories: any Repositories) throws {
        guard isOn else { return }
        try repositories.deliveries.insert(
            Delivery(id: mint.identifier(), .newDevice(device), made: now, expires: now + DeliveryTimes.webhookLifetime)
        )
    }
}

extension SignInExchangeRecord {
    /// The way of the sign-in; `nil` where the method of the request leaves it open.
    func way(of grant: Grant) -> NewDevice.Way? {
        switch method {
        case .deviceCode:
            let evidence = grant.evidence
            if exchange.request.domain != nil { return .crossPlatform }
            if evidence.proofs.contains(where: { if case .nearby = $0 { true } else { false } }) { return .nearby }
            return evidence.isByLink ? .link : .code
        case .singleSignOn: return .automatic
        case .authorizationCode(let binding): return binding.session == nil ? .appToApp : .browser
        case .backchannel: return .backChannel
        case .customerSite, .browserSession, .immediateGrant: return nil
        }
    }
}
