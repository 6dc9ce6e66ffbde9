package import Countersign
package import Foundation

/// An administrator's input about a service, not validated yet.
package struct DomainDraft: Sendable, Equatable {
    /// A field of the form.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case name
        case displayName = "display_name"
        case signOn = "sign_on"
        case group
        case redirectURIs = "redirect_uris"
        case tokenLifetime = "token_lifetime"
    }

    /// The most addresses that a domain may register.
    package static let mostAddresses = 20

    package var name: String
    package var displayName: String
    package var signOn: String
    /// Empty when the domain has no group.
    package var group: String
    package var redirectURIs: [String]
    package var tokenLifetime: TimeInterval

    package init(
        name: String,
        displayName: String,
        signOn: String = ServiceDomain.SignOn.ask.rawValue,
        group: String = "",
        redirectURIs: [String] = [],
        tokenLifetime: TimeInterval = 86_400
    ) {
        self.name = name
        self.displayName = displayName
        self.signOn = signOn
        self.group = group
        self.redirectURIs = redirectURIs
        self.tokenLifetime = tokenLifetime
    }

    /// A draft with the current values of a domain, to be changed.
    package init(_ domain: ServiceDomain) {
        self.init(
            name: domain.name.rawValue,
            displayName: domain.displayName,
            signOn: domain.signOn.rawValue,
            group: domain.group ?? "",
            redirectURIs: domain.redirectURIs,
            tokenLifetime: domain.tokenLifetime
        )
    }

    /// Creates a new domain from the draft.
    ///
    /// - Throws: ``DomainDraftError`` with all that does not go.
    package func domain(credential: SecretDigest, created: Date) throws(DomainDraftError) -> ServiceDomain {
        let name = Domain(parsing: name) ?? Domain("")
        return try applied(
            to: ServiceDomain(name: name, displayName: "", credential: credential, created: created)
        )
    }

    /// Applies the draft to `domain`; the name stays.
    ///
    /// - Throws: ``DomainDraftError`` with all that does not go.
    package func applied(to domain: ServiceDomain) throws(DomainDraftError) -> ServiceDomain {
        var problems: [Field: DomainProblem] = [:]
        if domain.name.rawValue.isEmpty {
            problems[.name] = .badDomain
        }
        var changed = domain
        changed.displayName = displayName.trimmingCharacters(in: .whitespacesAndNewlines)
        if !changed.displayName.isLine(of: 1...100) {
            problems[.displayName] = .badName
        }
        if let signOn = ServiceDomain.SignOn(rawValue: signOn) {
            changed.signOn = signOn
        } else {
            problems[.signOn] = .badSignOn
        }
        let group = group.trimmingCharacters(in: .whitespacesAndNewlines)
        changed.group = group.isEmpty ? nil : group
        if !group.isLine(of: 0...64) {
            problems[.group] = .badGroup
        }
        changed.redirectURIs = redirectURIs.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }
        problems[.redirectURIs] = Self.objection(to: changed.redirectURIs)
        changed.tokenLifetime = tokenLifetime
        if !ServiceDomain.tokenLifetimes.contains(tokenLifetime) {
            problems[.tokenLifetime] = .badLifetime
        }
        guard problems.isEmpty else { throw DomainDraftError(problems: problems) }
        return changed
    }

    private static func objection(to addresses: [String]) -> DomainProblem? {
        guard addresses.count <= mostAddresses else { return .tooManyAddresses }
        return addresses.lazy.compactMap { address in
            RedirectURIRules.fault(of: address).map { .badAddress(String(address.prefix(80)), $0) }
        }.first
    }
}

/// The input of an administrator is invalid.
package struct DomainDraftError: Error, Sendable, Equatable {
    /// The problems by field.
    package let problems: [DomainDraft.Field: DomainProblem]

    package init(problems: [DomainDraft.Field: DomainProblem]) {
        self.problems = problems
    }

    /// A service of this name exists already.
    package static let taken = DomainDraftError(problems: [.name: .taken])
}

extension String {
    /// Whether it is one line of so many characters, without control characters and changes of direction.
    package func isLine(of lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(count) && utf8.count <= 4 * lengths.upperBound
            && unicodeScalars.allSatisfy { !$0.isUnsafeInName }
    }
}
