internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The requests that wait at an approver, of all ways.
struct InboxContents: Sendable {
    /// The server's list, as it was last seen, without expired requests.
    private var listed: [AuthenticatorInbox.Entry] = []
    /// The listed requests that can be shown.
    private var described: [SignInRequest.ID: WaitingRequest] = [:]
    /// The listed requests that cannot be shown.
    private var failed: Set<SignInRequest.ID> = []
    /// The listed requests that were answered here; the server takes them off its list.
    private var answered: Set<SignInRequest.ID> = []
    /// The requests whose asking side waits at this device.
    private var held: [WaitingRequest] = []
    /// Whether the server's list is known, for an approver that has one.
    private var isKnown = false
    /// The requests that were told last; `nil` before the first time.
    private var told: [WaitingRequest]?

    /// The next end of a request in the list; `nil` when none waits.
    var nextDeadline: Date? { listed.map(\.deadline).min() }

    /// The requests to show, in their order.
    ///
    /// A screen may ask for one request over a link and by the server's list: it is shown once, with the facts of both.
    var waiting: [WaitingRequest] {
        let ids = Set(held.map(\.id))
        return held.compactMap { side in
            if case .nearby = side.look, let request = described[side.id] { return request.joined(by: side) }
            return side.needsDigits ? nil : side
        }
            + listed.filter { !answered.contains($0.exchange) && !ids.contains($0.exchange) }
            .compactMap { described[$0.exchange] }
    }

    /// The difference between the server's list and the one before.
    struct Difference: Sendable {
        /// The requests that are new.
        var arrived: [AuthenticatorInbox.Entry] = []
        /// The shown requests that their asking side gave up.
        var cancelled: [WaitingRequest] = []
        /// The shown requests that were answered elsewhere or withdrawn.
        var gone: [WaitingRequest] = []
        /// The shown requests that have expired.
        var expired: [WaitingRequest] = []

        /// Whether the list holds nothing new, and nothing has gone.
        var isEmpty: Bool { arrived.isEmpty && cancelled.isEmpty && gone.isEmpty && expired.isEmpty }
    }

    /// Takes in what the server lists. According to the list's own time a missing request has expired, or was answered
    /// or withdrawn.
    mutating func take(_ inbox: AuthenticatorInbox) -> Difference {
        let date = Date(named: inbox.serverTime)
        let cancelled = Set(inbox.cancelled ?? [])
        var difference = Difference()
        let before = Set(listed.map(\.exchange))
        let now = inbox.requests.filter { $0.deadline > date }
        let ids = Set(now.map(\.exchange))
        for entry in listed where !ids.contains(entry.exchange) {
            guard let request = remove(entry.exchange) else { continue }
            if cancelled.contains(request.id) {
                difference.cancelled.append(request)
            } else if request.deadline > date {
                difference.gone.append(request)
            } else {
                difference.expired.append(request)
            }
        }
        difference.arrived = now.filter { !before.contains($0.exchange) }
        listed = now
        isKnown = true
        return difference
    }

    /// Drops expired requests of the list.
    ///
    /// - Parameter date: The server's date.
    /// - Returns: Those that were shown.
    mutating func expire(at date: Date) -> [WaitingRequest] {
        let over = listed.filter { $0.deadline <= date }
        listed.removeAll { $0.deadline <= date }
        return over.compactMap { remove($0.exchange) }
    }

    /// Forgets what is known of a listed request.
    ///
    /// - Returns: The request, if it was shown and not answered here.
    private mutating func remove(_ id: SignInRequest.ID) -> WaitingRequest? {
        failed.remove(id)
        let request = described.removeValue(forKey: id)
        return answered.remove(id) == nil ? request : nil
    }

    /// Takes in the description of a listed request, unless it has gone meanwhile.
    mutating func describe(_ request: WaitingRequest) {
        if listed.contains(where: { $0.exchange == request.id }) { described[request.id] = request }
    }

    /// Records that a listed request cannot be shown.
    ///
    /// - Returns: Whether it still waits.
    mutating func fail(_ id: SignInRequest.ID) -> Bool {
        guard listed.contains(where: { $0.exchange == id }), !answered.contains(id) else { return false }
        failed.insert(id)
        return true
    }

    /// Adds a request whose asking side waits here.
    mutating func hold(_ request: WaitingRequest) {
        held.removeAll { $0.id == request.id }
        held.append(request)
    }

    /// Removes a request whose asking side waits here no more.
    mutating func release(_ id: SignInRequest.ID) { held.removeAll { $0.id == id } }

    /// Whether a request of the list can be approved here without its screen.
    func isApprovable(_ id: SignInRequest.ID) -> Bool {
        !answered.contains(id) && described[id].map { !$0.isDenyOnly } ?? false
    }

    /// The request to decide by a person's answer to what they were shown: with the link that has brought it since.
    func current(_ shown: WaitingRequest) -> WaitingRequest {
        waiting.first { shown.isCompleted(by: $0) } ?? shown
    }

    /// Whether the side of a request waits for digits that are not typed yet.
    func lacksDigits(_ id: SignInRequest.ID) -> Bool { held.contains { $0.id == id && $0.needsDigits } }

    /// Whether a request waits here, whichever way it came.
    func hasWaiting(_ id: SignInRequest.ID) -> Bool { waiting.contains { $0.id == id } }

    /// Records that a request was answered at this device.
    mutating func answer(_ id: SignInRequest.ID) {
        release(id)
        if listed.contains(where: { $0.exchange == id }) { answered.insert(id) }
    }

    /// Forgets the server's list, which is not followed any more.
    mutating func reset() {
        let held = held
        self = InboxContents()
        self.held = held
    }

    /// The requests to show if they differ from those that were told last. At first nothing is told before the list, and
    /// one of its requests unless there is none.
    ///
    /// - Parameter hasList: Whether the approver follows a list at the server.
    mutating func change(hasList: Bool) -> [WaitingRequest]? {
        let waiting = waiting
        guard told != waiting else { return nil }
        if told == nil, waiting.isEmpty, hasList {
            guard isKnown, listed.allSatisfy({ failed.contains($0.exchange) || answered.contains($0.exchange) }) else {
                return nil
            }
        }
        told = waiting
        return waiting
    }

    /// The requests that were told last; `nil` before the first time.
    var lastTold: [WaitingRequest]? { told }
}

extension AuthenticatorInbox.Entry {
    /// The deadline for the answer, by the server's clock.
    var deadline: Date { Date(named: expires) }
}
