public import CountersignNearby

/// News of phones nearby, for the screen that looks for them.
public enum NearbyEvent: Sendable, Equatable {
    /// The phones that were found; told again whenever they change. There may be hundreds: show how many, and the first
    /// few. A single one is asked by itself.
    case found([NearbyApprover])
    /// Show this code, large: the person types it in the app on that phone.
    case code(LinkCode, NearbyApprover)
    /// The code is no longer valid; it must be off the screen when the next event is asked for.
    case codeIsOver
    /// The progress with a phone.
    case progress(NearbyProgress, NearbyApprover)
    /// The search has ended.
    case ended(NearbyResult)
}

/// The phones nearby of one search, and what the person can do with them.
public struct NearbyPhones: Sendable, Equatable {
    private let requester: NearbyRequester

    init(_ requester: NearbyRequester) { self.requester = requester }

    /// Asks a phone that the person has chosen, and ends the conversations with others.
    ///
    /// - Parameter approver: The id of one that ``NearbyEvent/found(_:)`` named; others are ignored.
    public func choose(_ approver: NearbyApprover.ID) { requester.choose(approver) }

    /// Shows another code, after the person missed one and wants to try again.
    public func tryAgain() { requester.tryAgain() }

    /// Takes the code away that is shown; it counts as a miss.
    public func goBack() { requester.goBack() }

    /// Whether both are of the same search.
    public static func == (left: Self, right: Self) -> Bool { left.requester === right.requester }
}
