internal import Countersign
internal import CountersignHTTP
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

/// Notifies the operator's webhook and the person of each new device, by deliveries in the change that adds the device.
struct NewDeviceNotices: Sendable {
    let notices: AccountNotices
    /// Whether there is a webhook.
    let hasWebhook: Bool
    /// Compares the networks of screens.
    let addresses: ClientAddressResolver

    /// The span in which a screen that was used is still known, in seconds.
    private static let knownFor: TimeInterval = 30 * 86_400

    /// Queues the notice of a signed-in screen or app. The webhook gets each sign-in; the person gets no mail about a
    /// screen that they know.
    ///
    /// - Parameters:
    ///   - grant: The grant, which is recorded already.
    ///   - request: Its request.
    ///   - way: The way of the sign-in.
    ///   - now: The current time.
    ///   - repositories: The change that issues the tokens, before it notes the screen as remembered.
    func tell(
        of grant: Grant,
        _ request: SignInRequest,
        by way: NewDevice.Way,
        at now: Date,
        in repositories: any Repositories
    ) throws {
        if way.isScreen, try notices.mailsAdditions(to: grant.subject, at: now, in: repositories),
            try !isKnown(grant, request, at: now, in: repositories)
        {
            try notices.tell(of: grant, at: now, in: repositories)
        }
        try tell(
            of: NewDevice(.signIn(grant.id), of: grant.subject, client: grant.client, by: way, added: now), at: now,
            in: repositories)
    }

    /// Whether a grant signs in a screen that remembers its person already, or one of the same client, name and network
    /// that they were signed in on lately, and did not sign out.
    private func isKnown(
        _ grant: Grant, _ request: SignInRequest, at now: Date, in repositories: any Repositories
    ) throws -> Bool {
        let remembered = try grant.screen.flatMap {
            try RememberedScreens(repositories).find($0, of: grant.subject, at: grant.client)
        }
        if remembered != nil { return true }
        guard let name = request.deviceName?.value, let address = request.address?.value else { return false }
        return try repositories.signIns.all(of: grant.subject, at: grant.client).contains { earlier in
            // What the person ended was not theirs, and a service makes nothing known.
            earlier.grant.id != grant.id && earlier.revoked == nil && earlier.request.service == nil
                && now < earlier.lastUsed + Self.knownFor
                && earlier.request.deviceName?.value == name
                && addresses.sameNetwork(earlier.request.address?.value, address) == .yes
        }
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
        try notices.tell(of: device, subject, at: now, in: repositories)
        try tell(
            of: NewDevice(.device(device.id), of: subject, client: client, by: way, added: now), at: now,
            in: repositories)
    }

    private func tell(of device: NewDevice, at now: Date, in repositories: any Repositories) throws {
        guard hasWebhook else { return }
        try repositories.deliveries.insert(
            Delivery(
                id: notices.mint.identifier(), .newDevice(device), made: now,
                expires: now + DeliveryTimes.webhookLifetime)
        )
    }
}

extension NewDevice.Way {
    /// Whether a screen was signed in by it. The apps and browsers of the other ways are used where the person is, and
    /// devices that answer have notices of their own.
    fileprivate var isScreen: Bool {
        switch self {
        case .code, .link, .nearby, .crossPlatform: true
        case .browser, .appToApp, .backChannel, .automatic, .tokenExchange, .ticket, .enrollment, .phoneNumber: false
        }
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
