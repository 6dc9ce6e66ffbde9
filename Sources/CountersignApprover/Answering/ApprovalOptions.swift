/// The choices for an approver.
public struct ApprovalOptions: Sendable, Equatable {
    /// The time limit of one request.
    public var timeLimit = Duration.seconds(15)
    /// The time limit of a whole look, including retries.
    public var lookTimeLimit = Duration.seconds(60)
    /// The addresses that open the app with requests of other apps on the same device, without a query: the server's
    /// authorization endpoint, an address with a scheme of the app, as `com.example.provider.authorize:/authorize`, and
    /// the page that screens open, as `https://id.example.com/activate`. By default there is none.
    public var entrances: [String] = []
    /// Talks to other machines without encryption: any intermediary can read and change everything. For tests in closed
    /// networks only.
    public var allowingInsecureHTTP = false

    /// Options for a phone on an ordinary network.
    public init() {}

    /// The time limit of one of several attempts: shorter, since another one follows.
    var attemptTimeLimit: Duration { min(timeLimit, .seconds(5)) }
}
