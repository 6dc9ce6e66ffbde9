internal import Countersign

/// As what this device is registered with an authorization provider, for all its services.
///
/// Standard: ETSI TS 103 407 §8.2.
struct ProviderIdentity: Sendable, Equatable {
    let client: ClientID
    let secret: ClientSecret
}
