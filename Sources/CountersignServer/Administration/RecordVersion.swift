internal import Countersign
internal import CountersignWire

/// The version of a record, as the digest of the values that its form shows. It is a hidden field of the form, so that
/// one that was opened before another change does not undo that change.
struct RecordVersion: Sendable, Equatable {
    /// The field of the form.
    static let field = "version"

    /// The digest as text.
    let text: String

    /// - Parameter values: The values, each of which may be any text.
    private init(of values: [String]) {
        let texts = values.map { "\($0.utf8.count):\($0)" }
        text = URLSafeText.encode(SecretDigest(of: texts.joined()).bytes)
    }

    /// The record was changed after its form was opened.
    struct OutdatedError: Error, Sendable, Equatable {
        /// The sentence on a page.
        static let shown: LocalizedText = .admin(.problemOutdated)
    }

    /// Checks in the change of a form that the form was made of this version, the one before the change. A form that
    /// changes nothing, as when it was sent twice, is not refused.
    ///
    /// - Parameter changed: The version after the change.
    /// - Throws: ``OutdatedError``, also for a form without a version.
    func require(in form: Form, before changed: RecordVersion) throws(OutdatedError) {
        if changed != self { try require(in: form) }
    }

    /// Checks in the change of a form that the form was made of this version.
    ///
    /// - Throws: ``OutdatedError``, also for a form without a version.
    func require(in form: Form) throws(OutdatedError) {
        guard form[Self.field] == text else { throw OutdatedError() }
    }
}

// The versions of the records that have forms.
extension RecordVersion {
    init(_ person: Person) {
        let draft = PersonDraft(of: person)
        self.init(
            of: draft.fields.map(\.fieldValue) + ["\(person.isEmailVerified)", person.role.rawValue])
    }

    init(_ client: Client) {
        let draft = ClientDraft(of: client)
        self.init(of: ClientMember.allCases.map { (draft[$0] ?? []).joined(separator: "\n") })
    }

    init(_ domain: ServiceDomain) { self.init(DomainDraft(domain)) }

    /// - Parameter draft: The current values of a service.
    init(_ draft: DomainDraft) {
        self.init(
            of: [draft.displayName, draft.signOn, draft.group, "\(draft.tokenLifetime)"] + draft.redirectURIs)
    }

    init(_ site: CustomerSite) { self.init(CustomerSiteDraft(site)) }

    /// - Parameter draft: The current values of a site.
    init(_ draft: CustomerSiteDraft) {
        self.init(
            of: [draft.name, draft.icon, draft.webhook, "\(draft.allowsLegacyDevices)", draft.textsPerDay]
                + draft.textPrefixes)
    }
}
