internal import FoundationEssentialsCompat

/// A page of administrators: records with their facts and acts, in sections.
struct AdminView: Page {
    static let template = PageTemplate.admin
    static let showsTimes = true
    /// The maximum number of records of a list on a page.
    static let pageLength = 50

    let personName: String
    let formToken: String
    let navigation: [AdminNavigationItem]
    /// The command that does the same; `nil` where there is none.
    let command: String?
    let heading: LocalizedText
    /// The message about what just happened.
    var notice: LocalizedText?
    /// The message that an act was refused.
    var problem: LocalizedText?
    var search: AdminSearch?
    var sections: [AdminSection] = []
    /// The page above it; `nil` for the list of a noun.
    var back: PageLink?

    var title: LocalizedText { .title(heading, with: problem) }

    /// - Parameters:
    ///   - noun: The noun that the page is about.
    ///   - heading: The heading; `nil`, the default, for that of the noun.
    ///   - visitor: The administrator.
    init(_ noun: AdminNoun, _ heading: LocalizedText? = nil, for visitor: SignedInVisitor) {
        self.init(
            noun, heading, personName: visitor.person.name, formToken: visitor.formToken.revealed,
            role: visitor.person.role)
    }

    init(
        _ noun: AdminNoun, _ heading: LocalizedText? = nil, personName: String, formToken: String, role: PersonRole
    ) {
        self.personName = personName
        self.formToken = formToken
        navigation = AdminNavigationItem.all(for: role, at: noun)
        command = noun.command.map { "countersign admin \($0)" }
        self.heading = heading ?? noun.title
    }
}

/// A noun in the navigation of the pages of administrators.
struct AdminNavigationItem: Sendable, Equatable {
    let nounAddress: String
    let nounTitle: LocalizedText
    let isCurrentNoun: Bool

    /// The nouns that a role may read.
    static func all(for role: PersonRole, at current: AdminNoun) -> [AdminNavigationItem] {
        AdminNoun.allCases.filter { role.permits(.read($0)) }.map {
            AdminNavigationItem(nounAddress: $0.path, nounTitle: $0.title, isCurrentNoun: $0 == current)
        }
    }
}

/// A section of a page of administrators.
struct AdminSection: Sendable, Equatable {
    /// The identifier of the heading on the page.
    let sectionID: String
    let sectionTitle: LocalizedText
    var sectionHint: LocalizedText?
    var facts: [AdminFact] = []
    var entries: [AdminEntry] = []
    /// The sentence in place of no entries.
    var nothing: LocalizedText?
    /// The address of the next page of entries.
    var more: String?
    var sectionLinks: [PageLink] = []
    var sectionForms: [AdminForm] = []

    init(_ id: String, _ title: LocalizedText) {
        sectionID = id
        sectionTitle = title
    }

    /// A section of facts; `nil` is left out.
    init(_ id: String, _ title: LocalizedText, facts: [AdminFact?]) {
        self.init(id, title)
        self.facts = facts.compactMap(\.self)
    }

    /// A section of entries, which says that there are none.
    init(_ id: String, _ title: LocalizedText, _ entries: [AdminEntry]) {
        self.init(id, title)
        self.entries = entries
        nothing = entries.isEmpty ? .admin(.nothing) : nil
    }
}

/// A record in a list.
struct AdminEntry: Sendable, Equatable {
    let entryName: LocalizedText
    /// The address of its own page; `nil` for none.
    var entryAddress: String?
    /// Its identifier; `nil` where the name is it.
    var entryCode: String?
    var entryFacts: [AdminFact] = []
    var entryForms: [AdminForm] = []
    var entryLinks: [PageLink] = []

    init(_ name: LocalizedText, at address: String? = nil, code: String? = nil, _ facts: [AdminFact?] = []) {
        entryName = name
        entryAddress = address
        entryCode = code
        entryFacts = facts.compactMap(\.self)
    }
}

/// A fact about a record.
struct AdminFact: Sendable, Equatable {
    let factLabel: LocalizedText
    let factValue: LocalizedText
    /// The instant for machines; `nil` for a fact that is no instant.
    var factTime: String?
    var factIsCode = false

    init(_ label: TextKey.Admin, _ value: LocalizedText) {
        factLabel = .admin(label)
        factValue = value
    }

    /// A fact in text that is the same in every language; `nil` for none.
    init?(_ label: TextKey.Admin, _ text: String?, isCode: Bool = false) {
        guard let text, !text.isEmpty else { return nil }
        self.init(label, .verbatim(text))
        factIsCode = isCode
    }

    /// An instant; `nil` for none.
    init?(_ label: TextKey.Admin, _ instant: Date?, at now: Date) {
        guard let instant else { return nil }
        let display = TimeDisplay(instant, at: now)
        self.init(label, display.text)
        factTime = display.machine
    }
}

extension PageLink {
    /// The link back to the list of a noun.
    static func back(to noun: AdminNoun) -> PageLink {
        PageLink(.admin(.backTo, ["list": noun.title]), to: noun.path)
    }
}
