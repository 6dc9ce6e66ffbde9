internal import Countersign

internal import FoundationEssentialsCompat

/// A request that is addressed to the person, and waits.
struct WaitingConfirmation: Sendable, Equatable {
    /// The form field `request`; no secret.
    let requestID: String
    /// The service that it is for.
    let serviceName: String
    let domain: String
    /// The app's name, as it is shown.
    let app: String
    let asked: TimeDisplay
    /// The address that it asked from.
    let address: String?
}

extension WaitingConfirmation {
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
}
