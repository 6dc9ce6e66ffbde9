internal import Countersign

/// This device's registration with an authorization provider, for all its services.
///
/// Standard: ETSI TS 103 407 §8.2.
struct ProviderIdentity: Sendable, Equatable {
    /// The client identifier that the provider chose.
    let client: ClientID
    /// The secret that came with it.
    let secret: ClientSecret
}
