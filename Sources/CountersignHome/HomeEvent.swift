/// One event of a schedule: an act, after some time, on a network that may fail.
///
/// An act chooses among the parties and requests that there are by ``choice``. It does nothing where there is none, so
/// that a schedule without some of its events is a schedule, too.
public struct HomeEvent: Sendable, Hashable, CustomStringConvertible {
    /// The time since the event before, in seconds.
    public let wait: Int
    /// The name of the act.
    public let act: String
    /// The choices of the act.
    public let choice: UInt32
    /// The fate of its first message.
    public let fate: HomeFate

    /// Creates an event.
    public init(after wait: Int = 1, _ act: String, choosing choice: UInt32 = 0, fate: HomeFate = .arrives) {
        self.wait = wait
        self.act = act
        self.choice = choice
        self.fate = fate
    }

    /// The event in one line.
    public var description: String {
        "+\(wait)s \(act) #\(choice)" + (fate == .arrives ? "" : " (\(fate.rawValue))")
    }
}
