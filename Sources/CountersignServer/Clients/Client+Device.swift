internal import Countersign
internal import CountersignWire
internal import Foundation

extension Client {
    /// How long a device without a token stays registered, in seconds.
    static let firstLifetime: TimeInterval = 7 * 86_400
    /// How long a device stays registered after its last token, in seconds.
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

extension Repositories {
    /// Extends the registration of a device that gets a token, and returns its new end. It is written at most once a
    /// day.
    func prolong(_ client: ClientID, at now: Date) throws -> Date? {
        guard var client = try clients.find(client), case .device(let software, let expires) = client.registration
        else { return nil }
        let later = now + Client.lifetime
        guard later.timeIntervalSince(expires) >= 86_400 else { return expires }
        client.registration = .device(software, expires: later)
        try clients.update(client)
        return later
    }
}
