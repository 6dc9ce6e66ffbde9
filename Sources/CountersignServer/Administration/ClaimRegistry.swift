internal import Countersign
package import CountersignWire
internal import FoundationEssentialsCompat

/// The claims that operators declare: adds and removes them.
package struct ClaimRegistry: Registry {
    private let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// A declaration that is refused.
    package enum DeclarationError: Error, Sendable, Equatable {
        /// The claim is declared.
        case taken(ClaimName)
        /// A claim from an attribute names no scope value: each client with `profile` would get it, under consents that
        /// do not tell it.
        case scopeNeeded(ClaimName)
        /// There are ``ClaimMapping/most`` declarations.
        case tooMany
        /// There are more than ``ClaimMapping/mostValues`` values, or one is empty or too long.
        case values
        /// The group does not exist.
        case noGroup(GroupName)
    }

    /// All declarations, by claim.
    package func all() async throws -> [ClaimMapping] {
        try await administration.store.read { try $0.claimMappings.all() }
    }

    /// Declares a claim as a draft says it.
    ///
    /// - Throws: ``DeclarationError``, and then nothing is changed.
    package func add(_ draft: ClaimDraft.Declaration) async throws -> ClaimMapping {
        try await add(draft.claim, from: draft.source, as: draft.form, in: draft.scope)
    }

    /// Declares a claim.
    ///
    /// - Parameters:
    ///   - claim: The name of the claim.
    ///   - source: The source of its values.
    ///   - form: Its form; `nil` for a list of groups, and a text of an attribute.
    ///   - scope: The scope value that gives it; `nil` for `groups`, and refused with an attribute.
    /// - Throws: ``DeclarationError``, and then nothing is changed.
    package func add(
        _ claim: ClaimName, from source: ClaimMapping.Source, as form: ClaimMapping.Form?, in scope: ScopeWord?
    ) async throws -> ClaimMapping {
        var usual: (form: ClaimMapping.Form, scope: ScopeWord?) = (.text, nil)
        var values: [ClaimMapping.GroupValue] = []
        if case .groups(let named) = source { (usual, values) = ((.list, .groups), named) }
        guard let scope = scope ?? usual.scope else { throw DeclarationError.scopeNeeded(claim) }
        guard values.count <= ClaimMapping.mostValues,
            values.allSatisfy({ $0.value.isLine(of: 1...ClaimMapping.longestValue) })
        else { throw DeclarationError.values }
        let now = administration.clock.now()
        let mapping = ClaimMapping(
            claim: claim, source: source, form: form ?? usual.form, scope: scope, created: now)
        do {
            try await administration.change(.change(.claims), at: now) { [values] repositories in
                guard try repositories.claimMappings.all().count < ClaimMapping.most else {
                    throw DeclarationError.tooMany
                }
                for value in values where try repositories.groups.find(value.group) == nil {
                    throw DeclarationError.noGroup(value.group)
                }
                try repositories.claimMappings.insert(mapping)
                try Audit(repositories).record(
                    administration.administrator.facts(.claimAdded, at: now, detail: claim.rawValue))
            }
        } catch StoreError.alreadyExists {
            throw DeclarationError.taken(claim)
        }
        return mapping
    }

    /// Removes the declaration of a claim; returns whether there was one.
    package func remove(_ claim: ClaimName) async throws -> Bool {
        let now = administration.clock.now()
        return try await administration.change(.change(.claims), at: now) { repositories in
            guard try repositories.claimMappings.remove(claim) else { return false }
            try Audit(repositories).record(
                administration.administrator.facts(.claimRemoved, at: now, detail: claim.rawValue))
            return true
        }
    }
}
