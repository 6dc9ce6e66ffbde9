/// The rule that decides about a request.
enum RuleFinding: Sendable, Equatable {
    case rule(GateRule)
    /// The rules could be evaded, for this reason.
    case ambiguous(String)
}

extension GateSite {
    /// Finds the first rule that matches.
    ///
    /// A request is refused where a server that folds names, or takes a method from a header field, would read it as one
    /// that an earlier or another rule matches.
    ///
    /// - Parameter overridesMethod: Whether the request asks to be taken for another method.
    func rule(for path: SitePath, _ method: String, overridingMethod overridesMethod: Bool) -> RuleFinding {
        for rule in rules {
            // A site answers HEAD as GET.
            let hasMethod = rule.methods?.contains(method == "HEAD" ? "GET" : method) ?? true
            if rule.path.matches(path) {
                if rule.methods != nil, overridesMethod { return .ambiguous("a header field overrides the method") }
                if hasMethod { return .rule(rule) }
            } else if hasMethod || overridesMethod, rule.path.mayMatch(path) {
                return .ambiguous("the path differs from that of a rule in form alone")
            }
        }
        return .rule(.rest)
    }
}
