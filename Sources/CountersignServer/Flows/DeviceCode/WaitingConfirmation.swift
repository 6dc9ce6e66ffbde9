internal import Countersign

internal import FoundationEssentialsCompat

/// A request that is addressed to the person, and waits.
struct WaitingConfirmation: Sendable, Equatable {
    /// The form field `request`; no secret.
    let requestID: String
    /// The name of the service that it is for; that of the app for a request that the person started by their code.
    let serviceName: String
    /// The domain of the service; `nil` without one.
    let domain: String?
    /// The app's name, as it is shown beside that of the service; `nil` without a service.
    let app: String?
    let asked: TimeDisplay
    /// The address that it asked from.
    let address: String?
}

extension WaitingConfirmation {
    /// A request of a device for one more service.
    init(_ request: SignInRequest, of client: Client, for domain: ServiceDomain, at now: Date) {
        self.init(
            requestID: request.id.rawValue,
            serviceName: domain.displayName,
            domain: domain.name.rawValue,
            app: client.shownName,
            asked: TimeDisplay(request.asked.value, at: now),
            address: request.address?.value
        )
    }

    /// A request that the person started by their code.
    init(_ request: SignInRequest, of client: Client, at now: Date) {
        self.init(
            requestID: request.id.rawValue,
            serviceName: client.shownName,
            domain: nil,
            app: nil,
            asked: TimeDisplay(request.asked.value, at: now),
            address: request.address?.value
        )
    }
}
