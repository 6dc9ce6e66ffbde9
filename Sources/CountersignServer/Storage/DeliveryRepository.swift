public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is to be sent to phones and customers' servers, and for some days what was.
public protocol DeliveryRepository {
    /// Adds something to send.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when there is one with this identifier.
    func insert(_ delivery: Delivery) throws
    /// Finds a delivery; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ id: Delivery.ID) throws -> Delivery?
    /// Returns the deliveries that wait and are due, the longest due first.
    ///
    /// - Parameters:
    ///   - lane: The lane in which it is worked on.
    ///   - instant: When it is due.
    ///   - full: The receivers whose deliveries are left out, at most 100.
    ///   - limit: The most that are returned.
    /// - Throws: What the database reports, as ``Repositories`` says.
    func due(
        in lane: DeliveryLane,
        at instant: Date,
        exceptTo full: Set<Delivery.Receiver>,
        limit: Int
    ) throws -> [Delivery]
    /// Replaces content, attempts, times and state of a delivery; does nothing when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func update(_ delivery: Delivery) throws
    /// Returns the deliveries for a customer, the newest first, at most `limit`.
    ///
    /// - Parameters:
    ///   - environment: The customer.
    ///   - earlier: The last one of the page before; `nil` for the first page.
    ///   - limit: How many fit on a page.
    /// - Throws: What the database reports, as ``Repositories`` says.
    func page(of environment: EnvironmentID, before earlier: Delivery?, limit: Int) throws -> [Delivery]
    /// Returns the calls of the operator's webhook, the newest first, at most `limit`.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func newDevices(limit: Int) throws -> [Delivery]
    /// Returns the deliveries about a request, the oldest first, at most 1,000.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func all(about request: SignInRequest.ID) throws -> [Delivery]
    /// Withdraws the messages about a request that still wait, because it was answered; returns how many. Calls of
    /// customers' servers stay.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    @discardableResult
    func withdraw(about request: SignInRequest.ID, at instant: Date) throws -> Int
    /// Makes due at `now` what waits since before the clock was set back: what was attempted and waits longer than for
    /// any next attempt, and what was due when it was made, which is yet to come. Returns how many there were.
    ///
    /// - Parameters:
    ///   - lane: The lane in which it is worked on.
    ///   - now: The current time.
    ///   - longest: The longest wait for a next attempt, in seconds.
    /// - Throws: What the database reports, as ``Repositories`` says.
    @discardableResult
    func bringForward(in lane: DeliveryLane, to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int
    /// Removes at most `limit` deliveries that expired before `instant`; returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

extension DeliveryRepository {
    /// Returns the deliveries to all receivers that wait and are due, the longest due first.
    ///
    /// - Parameters:
    ///   - lane: The lane in which it is worked on.
    ///   - instant: When it is due.
    ///   - limit: The most that are returned.
    /// - Throws: What the database reports, as ``Repositories`` says.
    public func due(in lane: DeliveryLane, at instant: Date, limit: Int) throws -> [Delivery] {
        try due(in: lane, at: instant, exceptTo: [], limit: limit)
    }

    /// Makes a delivery due again, with all its attempts; returns it. Returns `nil` when there is none, when it still
    /// waits, and when it is a text message whose words were removed.
    ///
    /// - Parameters:
    ///   - id: The delivery.
    ///   - now: The current time.
    ///   - lifetime: How long it may be delivered from now on, in seconds.
    /// - Throws: What the database reports, as ``Repositories`` says.
    @discardableResult
    public func replay(_ id: Delivery.ID, at now: Date, lifetime: TimeInterval) throws -> Delivery? {
        guard var delivery = try find(id), !delivery.isWaiting else { return nil }
        if case .text(nil, to: _) = delivery.content { return nil }
        delivery.attempts = 0
        delivery.due = now
        delivery.expires = now + lifetime
        delivery.state = .waiting
        try update(delivery)
        return delivery
    }
}
