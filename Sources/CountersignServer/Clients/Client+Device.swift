internal import FoundationEssentialsCompat

extension Client {
    /// The lifetime of a self-registered client without a token, in seconds.
    static let firstLifetime: TimeInterval = 7 * 86_400
    /// The lifetime of a self-registered client after its last token, in seconds; shorter for a device without a
    /// person, since anybody can register one.
    static let lifetime: TimeInterval = 400 * 86_400

    /// A device that registers itself.
    init(registering asked: ClientRegistrationRequest, as id: ClientID, holding secret: ClientSecret, at now: Date) {
        func shown(_ text: String) -> String? { DeviceAuthorizationRequest.presentable(text) }
        let software = ClientSoftware(id: shown(asked.softwareID) ?? "", version: shown(asked.softwareVersion) ?? "")
        self.init(
            id: id,
            registration: .device(software, expires: now + Self.firstLifetime),
            name: shown(asked.clientName) ?? shown(asked.softwareID) ?? "?",
            kind: .confidential(secret.digest),
            grantTypes: [.crossPlatformClientCredentials, .crossPlatformDeviceCode],
            scope: .none,
            tokenFormat: .opaque,
            // Longer than for other clients: the person has to walk to a computer, sign in there and type.
            lifetimes: Lifetimes(code: 1800),
            created: now
        )
    }
}

extension Client.Registration {
    /// Moves the end of a registration that has one.
    mutating func prolong(until end: Date) {
        switch self {
        case .operator: break
        case .device(let software, _): self = .device(software, expires: end)
        case .dynamic(var registration):
            registration.expires = end
            self = .dynamic(registration)
        }
    }
}
