public import CountersignWire

/// The choices for a sign-in by another app or the browser.
///
/// ```swift
/// var options = AppToAppOptions()
/// options.prompts = [.selectAccount]  // The person may want another account than last time.
/// ```
public struct AppToAppOptions: Sendable, Equatable {
    /// The time for which an answer is accepted; 10 minutes by default.
    public var lifetime = Duration.seconds(600)
    /// The steps that the provider must ask of the person; empty, the default, leaves them to the provider.
    public var prompts: Set<AuthorizationRequest.Prompt> = []
    /// The name that the person probably signs in with; `nil` when it is not known.
    public var loginHint: String?
    /// The greatest age of the person's authentication, in seconds, as a service names it in a
    /// ``CountersignWire/StepUpChallenge``; `nil`, the default, for any.
    ///
    /// Standard: RFC 9470 §4.
    public var maxAge: Int?
    /// Limits and attempts of requests, and whether tokens are bound to a key of this device: where the provider offers
    /// it, by default.
    public var network: SignInOptions

    /// Creates options that suit most apps.
    public init() {
        network = SignInOptions()
        network.binding = .whenOffered
    }

    /// The maximum number of requests that wait for their answers at the same time; starting one more forgets the
    /// oldest.
    static let mostPending = 8
}
