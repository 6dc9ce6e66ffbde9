/// The limits of an approver for screens, mostly for unpaired ones ("strangers").
///
/// A network is an IPv4 address, or the first 64 bits of an IPv6 address. All else that is limited follows from these
/// three, or is fixed by the protocol: `Documentation/NearbyProtocol.md` lists it.
public struct ListenerLimits: Sendable, Equatable {
    /// The span for counting the connections of a network, and ``questions``; also the time limit of a handshake. It is
    /// shorter than ``NearbyTimes/line``, so that a waiting stranger sees the next questions.
    public var window: Duration = .seconds(100)
    /// The maximum number of open connections, including those in a handshake. A quarter is reserved for paired
    /// screens, and for addresses where the person has approved one.
    public var connections = 64
    /// The maximum number of questions that strangers put to the person within ``window``, and of strangers that wait
    /// for that; one of them is left for another network. The same number of paired screens may wait in addition.
    public var questions = 4

    /// The limits of the protocol.
    public static let standard = ListenerLimits()

    /// The limits of the protocol.
    private init() {}

    var reserved: Int { max(0, connections / 4) }

    /// The questions that one network may put within ``window``: all but one.
    var questionsOfNetwork: Int { max(1, questions - 1) }

    /// The questions after which networks that come often put no more within ``window``, however many these are: half.
    var questionsBesideFlood: Int { max(1, questions / 2) }
}
