internal import NIOConcurrencyHelpers

/// Keeps what discovery has found until a sign-in attempt takes it: the latest of each approver, however often a host
/// changes what it advertises.
final class DiscoveryMailbox: Sendable {
    /// The latest of one approver.
    struct Change: Sendable, Equatable {
        let id: NearbyApprover.ID
        /// Whether it has disappeared; it may have come back since.
        fileprivate(set) var isRemoved: Bool
        /// Its address; `nil` when it has disappeared.
        fileprivate(set) var service: ResolvedService?
    }

    /// The changes that wait.
    private struct State {
        /// The changes, in the order of the first of each approver.
        var changes: [Change] = []
        var places: [NearbyApprover.ID: Int] = [:]
    }

    /// The maximum number of approvers with waiting changes; those of others are dropped.
    static let most = 4096

    private let state = NIOLockedValueBox(State())

    /// Stores an event; returns whether it is the first pending one, so that the attempt must be notified.
    func post(_ event: DiscoveryEvent) -> Bool {
        let (instance, service): (ServiceInstance, ResolvedService?)
        switch event {
        case .found: return false
        case .resolved(let resolved): (instance, service) = (resolved.instance, resolved)
        case .removed(let removed): (instance, service) = (removed, nil)
        }
        let id = NearbyApprover.ID(name: instance.name)
        return state.withLockedValue { state in
            if let place = state.places[id] {
                state.changes[place].service = service
                if service == nil { state.changes[place].isRemoved = true }
                return false
            }
            guard state.changes.count < Self.most else { return false }
            state.places[id] = state.changes.count
            state.changes.append(Change(id: id, isRemoved: service == nil, service: service))
            return state.changes.count == 1
        }
    }

    func take() -> [Change] {
        state.withLockedValue { state in
            defer { state = State() }
            return state.changes
        }
    }
}
