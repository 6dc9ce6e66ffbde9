public import CountersignWire

/// How a sign-in behaves, where there is a choice.
public struct SignInOptions: Sendable, Equatable {
    /// How often a code that expired is replaced by a new one; 0 ends the sign-in with its first code.
    public var renewals = 0
    /// How long the server is asked to hold a request open, so that an answer arrives as soon as there is one; `nil`
    /// asks at intervals only. A server that does not know the wish ignores it.
    public var wait: WaitPreference? = WaitPreference(seconds: 30)
    /// How long one request may take, without the time for which it is held open.
    public var timeLimit = Duration.seconds(15)
    /// How often a step is tried before there is a code to show.
    public var attempts = 4
    /// How long giving tokens back may take, for each of them, when they are not wanted.
    public var revocationLimit = Duration.seconds(3)
    /// Talks to other machines without encryption: everybody on the way can read and change everything. For tests in
    /// closed networks only.
    public var allowingInsecureHTTP = false

    /// What suits a screen on an ordinary network.
    public init() {}

    /// What bounds the polling machine.
    var rules: PollingRules { PollingRules(renewals: renewals, wait: wait) }
}
