public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// A request in the inbox of a device; only its kind and its times are known yet.
public struct WaitingRequest: Sendable, Hashable, Identifiable {
    /// The request.
    public let id: SignInRequest.ID
    /// The kind of answer that the person gives.
    public let kind: AuthenticationRequest.Kind
    /// The time of the request, by the server's clock.
    public let asked: Date
    /// The deadline for the answer, by the server's clock.
    public let deadline: Date

    init(_ entry: AuthenticatorInbox.Entry) {
        id = entry.exchange
        kind = entry.kind
        asked = Date(named: entry.asked)
        deadline = Date(named: entry.expires)
    }
}

/// The events of an inbox.
public enum InboxEvent: Sendable, Equatable {
    /// A request waits for the person.
    case arrived(WaitingRequest)
    /// A request was answered, here or on another device, or taken back.
    case withdrawn(WaitingRequest)
    /// A request has expired.
    case expired(WaitingRequest)
    /// The server could not be asked, and is asked again later. Pending requests stay pending.
    case temporaryFailure(ApprovalError, retryingIn: Duration)
    /// The inbox cannot be read any more, as when the device was signed out. No event follows.
    case ended(ApprovalError)
}

/// The contents of an inbox when it was last seen.
struct InboxContents: Sendable, Equatable {
    /// The requests that can be answered, the oldest first.
    private(set) var waiting: [WaitingRequest] = []

    /// Nothing was seen yet.
    init() {}

    /// The next end of a request; `nil` when none waits.
    var nextDeadline: Date? { waiting.map(\.deadline).min() }

    /// Takes in what the server lists. According to the list's own time a missing request has expired, or was answered.
    mutating func take(_ inbox: AuthenticatorInbox) -> [InboxEvent] {
        let date = Date(named: inbox.serverTime)
        let listed = inbox.requests.map(WaitingRequest.init).filter { $0.deadline > date }
        let ids = Set(listed.map(\.id))
        let known = Set(waiting.map(\.id))
        let gone = waiting.filter { !ids.contains($0.id) }
        waiting = listed
        let left = gone.map { $0.deadline > date ? InboxEvent.withdrawn($0) : .expired($0) }
        return left + listed.filter { !known.contains($0.id) }.map(InboxEvent.arrived)
    }

    /// Drops expired requests.
    ///
    /// - Parameter date: The server's date.
    mutating func expire(at date: Date) -> [InboxEvent] {
        let over = waiting.filter { $0.deadline <= date }
        waiting.removeAll { $0.deadline <= date }
        return over.map(InboxEvent.expired)
    }
}
