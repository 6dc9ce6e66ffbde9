public import FoundationEssentialsCompat

/// The deliveries to phones and to customers' servers; completed ones are stored for some days.
public protocol DeliveryRepository {
    /// Adds a delivery.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one with this identifier.
    func insert(_ delivery: Delivery) throws
    /// Finds a delivery; `nil` when there is none.
    func find(_ id: Delivery.ID) throws -> Delivery?
    /// Returns the deliveries that are due, the longest due first.
    ///
    /// - Parameters:
    ///   - lane: The lane of the deliveries.
    ///   - instant: The latest due time.
    ///   - full: The receivers whose deliveries are left out, at most 100.
    ///   - limit: The most that are returned.
    func due(
        in lane: DeliveryLane, at instant: Date, exceptTo full: Set<Delivery.Receiver>, limit: Int
    ) throws -> [Delivery]
    /// Replaces content, attempts, times, state and problem of a delivery; does nothing when there is none.
    func update(_ delivery: Delivery) throws
    /// Returns the deliveries for a customer, the newest first, at most `limit`.
    ///
    /// - Parameters:
    ///   - environment: The customer.
    ///   - earlier: The last one of the page before; `nil` for the first page.
    ///   - limit: The maximum number on a page.
    func page(of environment: CustomerSiteID, before earlier: Delivery?, limit: Int) throws -> [Delivery]
    /// Returns the calls of the operator's webhook, the newest first, at most `limit`.
    func newDevices(limit: Int) throws -> [Delivery]
    /// Returns the deliveries made before an instant that failed, or failed so far and are tried again, the newest first,
    /// at most `limit`.
    func failing(before instant: Date, limit: Int) throws -> [Delivery]
    /// Returns the deliveries about a request, the oldest first, at most 1,000.
    func all(about request: SignInRequest.ID) throws -> [Delivery]
    /// Withdraws the pending messages about an answered request, except calls of customers' servers; returns how many.
    @discardableResult
    func withdraw(about request: SignInRequest.ID, at instant: Date) throws -> Int
    /// Removes the text messages and mails to these receivers, whether or not they were sent.
    ///
    /// - Parameter addressees: The telephone numbers, and the people of mails.
    func removeAll(to addressees: [Delivery.Addressee]) throws
    /// Makes deliveries due at `now` whose due time is too late because the clock was set back: it is after the next
    /// attempt of any delivery, or the creation is in the future. Returns their number.
    ///
    /// - Parameters:
    ///   - lane: The lane of the deliveries.
    ///   - now: The current time.
    ///   - longest: The longest wait for a next attempt, in seconds.
    @discardableResult
    func bringForward(in lane: DeliveryLane, to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int
    /// Removes at most `limit` deliveries that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

extension DeliveryRepository {
    /// Returns the deliveries to all receivers that are due, the longest due first.
    ///
    /// - Parameters:
    ///   - lane: The lane of the deliveries.
    ///   - instant: The latest due time.
    ///   - limit: The most that are returned.
    public func due(in lane: DeliveryLane, at instant: Date, limit: Int) throws -> [Delivery] {
        try due(in: lane, at: instant, exceptTo: [], limit: limit)
    }

    /// Makes a delivery due again, with all its attempts; returns it. Returns `nil` when there is none, when it still
    /// waits, and when it is a text message or a mail, whose secrets were removed.
    ///
    /// - Parameters:
    ///   - id: The delivery.
    ///   - now: The current time.
    ///   - lifetime: The time for its delivery from now on, in seconds.
    @discardableResult
    public func replay(_ id: Delivery.ID, at now: Date, lifetime: TimeInterval) throws -> Delivery? {
        guard var delivery = try find(id), !delivery.isWaiting else { return nil }
        switch delivery.content {
        case .text, .mail: return nil
        case .push, .browserPush, .webhook, .newDevice, .limitAlarm: break
        }
        delivery.attempts = 0
        delivery.due = now
        delivery.expires = now + lifetime
        delivery.state = .waiting
        delivery.problem = nil
        try update(delivery)
        return delivery
    }
}
