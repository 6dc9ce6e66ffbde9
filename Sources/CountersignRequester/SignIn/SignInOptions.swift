public import CountersignWire

/// Time limits, retries and other choices of a sign-in.
///
/// ```swift
/// var options = SignInOptions()
/// options.renewals = 2
/// options.timeLimit = .seconds(10)
/// ```
public struct SignInOptions: Sendable, Equatable {
    /// How often an expired code is replaced by a new one; with 0, the default, the sign-in ends with its first code.
    public var renewals = 0
    /// How long the server is asked to hold a request open, so that an answer arrives at once; 30 seconds by default.
    /// `nil` polls at intervals only. A server that does not support this ignores it.
    public var wait: WaitPreference? = WaitPreference(seconds: 30)
    /// The time limit for one request, without the time for which it is held open; 15 seconds by default.
    public var timeLimit = Duration.seconds(15)
    /// How often a step is attempted before there is a code to show; 4 by default.
    public var attempts = 4
    /// The time limit for revoking each token that is not wanted; 3 seconds by default.
    public var revocationLimit = Duration.seconds(3)
    /// Whether plain http to other machines is allowed, which lets everyone on the network path read and change
    /// everything; `false` by default. Only for tests in closed networks.
    public var allowingInsecureHTTP = false

    /// Creates options that suit a screen on an ordinary network.
    public init() {}

    /// The limits of polling.
    var rules: PollingRules { PollingRules(renewals: renewals, wait: wait) }
}
