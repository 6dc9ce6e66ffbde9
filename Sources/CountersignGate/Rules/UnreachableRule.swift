/// A rule that decides about no request, since earlier ones decide about all that it matches.
struct UnreachableRule: Sendable, Equatable {
    let place: Int
    /// The places of the earlier rules.
    let earlier: [Int]
}

extension [GateRule] {
    /// The first rule that decides about no request; `nil` when each decides about some.
    var unreachable: UnreachableRule? {
        for (place, rule) in enumerated() {
            let earlier = indices.prefix(place).filter { self[$0].path.covers(rule.path) }
            if let whole = earlier.first(where: { self[$0].methods == nil }) {
                return UnreachableRule(place: place, earlier: [whole])
            }
            // Several rules, each for some methods, decide together.
            guard let methods = rule.methods else { continue }
            let parts = earlier.filter { self[$0].methods?.isDisjoint(with: methods) == false }
            let taken = parts.reduce(into: Set<String>()) { $0.formUnion(self[$1].methods ?? []) }
            if methods.isSubset(of: taken) { return UnreachableRule(place: place, earlier: parts) }
        }
        return nil
    }
}
