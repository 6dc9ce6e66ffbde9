/// A running conversation of a sign-in attempt.
struct ActiveConversation {
    let approver: NearbyApprover
    let conversation: Conversation<RequesterInput>
    let pending: PendingConnection
    /// Its probe, if it is contacted because it may be paired; `nil` when it was picked, by the person or as the
    /// only one.
    let probe: ProbeScheduler.Probe?
    let began: ContinuousClock.Instant
    let task: Task<Void, Never>
    /// Whether it ends because the person has picked another approver.
    var isDropped = false
    /// Whether the person has picked the approver while it was contacted automatically.
    var isPickedMeanwhile = false

    /// Whether the approver was picked, before or since.
    var isPicked: Bool { probe == nil || isPickedMeanwhile }
}
