/// The kinds of holders, in their order of giving way within one party.
package enum HoldingKind: Int, Sendable, CaseIterable {
    /// A connection between two requests, or before the first one. The one that has been idle longest gives way first.
    case idle
    /// A request that has not been received whole. The one that made no progress for longest gives way first.
    case unfinished
    /// A request that waits: for a decision, or for its turn. The newest one gives way first.
    case waiting
}

/// Divides room among parties; when there is no more, holders of the party that holds most give way to the others.
///
/// A party is a network, a holder one of its connections or requests. No holder gives way to a party that would then
/// hold more than its own party: that party holds most, and its own holders give way, except those that wait; otherwise
/// it is refused. Of several parties that hold the same, the one with the readiest holder comes first.
///
/// Each call takes time in proportion to the logarithm of the number of parties.
package struct FairShare<Party: Hashable & Sendable, Holder: Hashable & Sendable>: Sendable {
    /// A holder's answer when it should give way.
    package enum Consent: Sendable {
        case givesWay
        /// It was in use recently, so others of its kind come first.
        case later
        /// It stays, and is not asked again before ``restore(_:)``.
        case notNow
    }

    /// The result of a request for room.
    package struct Admission: Sendable, Equatable {
        package var isAdmitted: Bool
        /// The holders that gave way.
        package var givingWay: [Holder] = []
    }

    /// The units of room.
    let capacity: Int
    /// The units that make a difference between two parties.
    let step: Int
    /// Whether holders of a party give way to one that will hold as much.
    let equalsGiveWay: Bool
    /// The units in use.
    private(set) var held = 0

    private var nodes: [Holder: Node] = [:]
    private var accounts: [Party: Account] = [:]
    /// The parties with a holder that may be asked, the one that holds most first.
    private var order = IndexedHeap<Party, Weight>()
    private var latest = 0

    /// The largest number of holders that are asked in vain before a request for room is refused.
    private static var longestSearch: Int { 1_000 }

    package init(capacity: Int, step: Int = 1, equalsGiveWay: Bool = false) {
        self.capacity = capacity
        self.step = step
        self.equalsGiveWay = equalsGiveWay
    }

    /// The number of holders.
    package var count: Int { nodes.count }

    /// The number of units that a party holds.
    func held(by party: Party) -> Int { accounts[party]?.units ?? 0 }

    /// Takes room for a new holder.
    ///
    /// - Parameters:
    ///   - units: The units that it takes.
    ///   - consent: The answer of a holder that should give way; by default it does.
    package mutating func admit(
        _ holder: Holder,
        of party: Party,
        _ kind: HoldingKind,
        taking units: Int,
        asking consent: (Holder) -> Consent = { _ in .givesWay }
    ) -> Admission {
        let admission = makeRoom(for: units, of: party, asking: consent)
        guard admission.isAdmitted else { return admission }
        nodes[holder] = Node(party: party, kind: kind, units: units)
        accounts[party, default: Account()].units += units
        accounts[party]?.holders += 1
        held += units
        enlist(holder)
        reorder(party)
        return admission
    }

    /// Changes the room and the kind of a holder, unless it is refused. A holder that gave way before is refused.
    mutating func resize(
        _ holder: Holder,
        to units: Int,
        _ kind: HoldingKind,
        asking consent: (Holder) -> Consent = { _ in .givesWay }
    ) -> Admission {
        guard let node = nodes[holder] else { return Admission(isAdmitted: false) }
        // It does not give way to itself.
        if node.isListed { delist(holder) }
        reorder(node.party)
        let admission = makeRoom(for: max(0, units - node.units), of: node.party, asking: consent)
        if admission.isAdmitted {
            nodes[holder]?.units = units
            nodes[holder]?.kind = kind
            accounts[node.party]?.units += units - node.units
            held += units - node.units
        }
        if node.isListed { enlist(holder) }
        reorder(node.party)
        return admission
    }

    /// Frees the room of a holder, unless it gave way before.
    package mutating func release(_ holder: Holder) {
        guard let node = nodes[holder] else { return }
        if node.isListed { delist(holder) }
        nodes[holder] = nil
        held -= node.units
        accounts[node.party]?.units -= node.units
        accounts[node.party]?.holders -= 1
        if accounts[node.party]?.holders == 0 { accounts[node.party] = nil }
        reorder(node.party)
    }

    /// Allows asking a holder again that answered ``Consent/notNow``.
    mutating func restore(_ holder: Holder) {
        guard let node = nodes[holder], !node.isListed else { return }
        enlist(holder)
        reorder(node.party)
    }

    private mutating func makeRoom(for units: Int, of party: Party, asking consent: (Holder) -> Consent) -> Admission {
        var admission = Admission(isAdmitted: units <= capacity)
        var asked = 0
        while admission.isAdmitted, units > 0, held + units > capacity {
            guard asked < Self.longestSearch, let holder = next(for: party, taking: units) else {
                admission.isAdmitted = false
                break
            }
            switch consent(holder) {
            case .givesWay:
                release(holder)
                admission.givingWay.append(holder)
            case .later:
                asked += 1
                delist(holder)
                enlist(holder)
                reorder(nodes[holder]?.party)
            case .notNow:
                asked += 1
                delist(holder)
                reorder(nodes[holder]?.party)
            }
        }
        return admission
    }

    /// The holder that gives way next for a party; `nil` when none does.
    private func next(for party: Party, taking units: Int) -> Holder? {
        guard let (largest, weight) = order.first else { return nil }
        let size = (held(by: party) + units) / step
        if largest != party, weight.size > size || equalsGiveWay && weight.size == size {
            return accounts[largest]?.readiest?.holder
        }
        guard let own = accounts[party]?.readiest, own.kind != .waiting else { return nil }
        return own.holder
    }

    /// Moves a party to its place in the order.
    private mutating func reorder(_ party: Party?) {
        guard let party else { return }
        guard let account = accounts[party], let (holder, kind) = account.readiest, let node = nodes[holder] else {
            order.remove(party)
            return
        }
        let place = kind == .waiting ? node.order : -node.order
        order.set(Weight(size: account.units / step, kind: kind, place: place), of: party)
    }

    // MARK: The lines of a party

    /// Puts a holder at the end of the line of its kind.
    private mutating func enlist(_ holder: Holder) {
        guard var node = nodes[holder] else { return }
        latest += 1
        node.order = latest
        node.isListed = true
        node.previous = accounts[node.party]?[node.kind].last
        node.next = nil
        nodes[holder] = node
        if let previous = node.previous {
            nodes[previous]?.next = holder
        } else {
            accounts[node.party]?[node.kind].first = holder
        }
        accounts[node.party]?[node.kind].last = holder
    }

    /// Takes a holder out of its line.
    private mutating func delist(_ holder: Holder) {
        guard let node = nodes[holder], node.isListed else { return }
        if let previous = node.previous {
            nodes[previous]?.next = node.next
        } else {
            accounts[node.party]?[node.kind].first = node.next
        }
        if let next = node.next {
            nodes[next]?.previous = node.previous
        } else {
            accounts[node.party]?[node.kind].last = node.previous
        }
        nodes[holder]?.isListed = false
        nodes[holder]?.previous = nil
        nodes[holder]?.next = nil
    }
}

extension FairShare {
    private struct Node: Sendable {
        let party: Party
        var kind: HoldingKind
        var units: Int
        /// Later in a line is a larger number.
        var order = 0
        var isListed = false
        var previous: Holder?
        var next: Holder?
    }

    private struct Line: Sendable {
        var first: Holder?
        var last: Holder?
    }

    private struct Account: Sendable {
        var units = 0
        var holders = 0
        private var idle = Line()
        private var unfinished = Line()
        private var waiting = Line()

        init() {}

        subscript(kind: HoldingKind) -> Line {
            get {
                switch kind {
                case .idle: idle
                case .unfinished: unfinished
                case .waiting: waiting
                }
            }
            set {
                switch kind {
                case .idle: idle = newValue
                case .unfinished: unfinished = newValue
                case .waiting: waiting = newValue
                }
            }
        }

        /// The holder that gives way first; `nil` when none may be asked.
        var readiest: (holder: Holder, kind: HoldingKind)? {
            if let first = idle.first { return (first, .idle) }
            if let first = unfinished.first { return (first, .unfinished) }
            return waiting.last.map { ($0, .waiting) }
        }
    }

    /// The rank of a party among those that give way: the greatest one comes first.
    private struct Weight: Sendable, Comparable {
        let size: Int
        let kind: HoldingKind
        let place: Int

        static func < (left: Weight, right: Weight) -> Bool {
            (left.size, -left.kind.rawValue, left.place) < (right.size, -right.kind.rawValue, right.place)
        }
    }
}
