internal import Countersign
internal import CountersignWire

/// `/admin/domains`: the services of this server.
struct DomainListView: Page {
    static let template = PageTemplate.domains

    let personName: String
    let formToken: String
    var navigation: [AdminNavigationItem] = []
    /// Whether the visitor may change services.
    var mayChange = true
    /// The message about what just happened.
    var notice: LocalizedText?
    let domains: [DomainEntry]
    /// The address of the next page; `nil` for the last one.
    var more: String?

    var title: LocalizedText { .text(.domainsTitle) }
}

/// One service in the list.
struct DomainEntry: Sendable, Equatable {
    let name: String
    let displayName: String
    /// The rule for a device that is signed in and asks for it too.
    let signOn: LocalizedText
    let group: String?
    /// The number of return addresses that it has registered.
    let addresses: Int
    /// Names it in the query of an address.
    let query: String

    init(_ domain: ServiceDomain) {
        name = domain.name.rawValue
        displayName = domain.displayName
        signOn = domain.signOn.words.short
        group = domain.group
        addresses = domain.redirectURIs.count
        query = Self.query(naming: domain.name.rawValue)
    }

    /// The query that names a service in the address of a page.
    static func query(naming domain: String) -> String {
        var form = Form()
        form["domain"] = domain
        return form.encoded
    }
}

extension ServiceDomain.SignOn {
    /// The meaning, in a few words and in a sentence.
    var words: (short: LocalizedText, long: LocalizedText) {
        switch self {
        case .ask: (.text(.domainsAsk), .text(.domainsAskHint))
        case .automatic:
            (
                .text(.domainsAutomatic),
                .text(.domainsAutomaticHint)
            )
        case .never: (.text(.domainsNever), .text(.domainsNeverHint))
        }
    }
}
