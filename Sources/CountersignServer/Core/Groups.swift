/// The groups that people are in.
package struct Groups {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The groups that a person is in, themselves and through other groups.
    package func names(of subject: Subject) throws -> Set<GroupName> {
        let own = try repositories.groups.all(of: subject)
        return own.isEmpty ? [] : try repositories.groups.hierarchy().groups(around: own)
    }

    /// The part of a scope that policy lets a person have now; all of it for a client's own.
    ///
    /// Every way to a token asks it: at the decision, at the redemption, and whenever a token is used.
    func allowed(_ scope: Scope, to subject: Subject?, under policy: Policy) throws -> Scope {
        guard let subject else { return scope }
        return try policy.allowed(scope) { try names(of: subject) }
    }

    /// The part of a granted scope that policy still lets a person have; `nil` when nothing of it remains, so that the
    /// grant is good for nothing.
    func remaining(of scope: Scope, for subject: Subject?, under policy: Policy) throws -> Scope? {
        let allowed = try allowed(scope, to: subject, under: policy)
        return scope.isEmpty || !allowed.isEmpty ? allowed : nil
    }
}
