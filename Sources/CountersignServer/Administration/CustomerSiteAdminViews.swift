internal import Countersign
internal import CountersignWire

/// `/admin/sites`: the sites of this server, and the keys of apps.
struct CustomerSiteListView: Page {
    static let template = PageTemplate.sites

    let personName: String
    let formToken: String
    var navigation: [AdminNavigationItem] = []
    /// Whether the visitor may change sites and the keys of apps.
    var mayChange = true
    /// The message about what just happened.
    var notice: LocalizedText?
    let sites: [CustomerSiteEntry]
    let apps: [AppEntry]
    /// The addresses of the next pages; `nil` for the last ones.
    var moreSites: String?
    var moreApps: String?
    /// A message that an app could not be added; the other fields say what was typed, and what is wrong with it.
    private(set) var problem: LocalizedText?
    private(set) var appNameProblem: LocalizedText?
    private(set) var bundleIDProblem: LocalizedText?
    private(set) var projectProblem: LocalizedText?
    var typedName = ""
    var typedBundleID = ""
    var typedProject = ""

    var title: LocalizedText { .title(.text(.sitesTitle), with: problem) }

    init(
        personName: String,
        formToken: String,
        notice: LocalizedText? = nil,
        sites: [CustomerSiteEntry],
        apps: [AppEntry]
    ) {
        self.personName = personName
        self.formToken = formToken
        self.notice = notice
        self.sites = sites
        self.apps = apps
    }

    /// Says that an app could not be added because of these fields.
    mutating func refuse(_ fields: Set<AuthenticatorAppRegistry.Field>) {
        problem = .text(.domainFormProblem)
        appNameProblem = fields.contains(.name) ? AuthenticatorAppRegistry.Field.name.problem : nil
        bundleIDProblem = fields.contains(.bundleID) ? AuthenticatorAppRegistry.Field.bundleID.problem : nil
        projectProblem = fields.contains(.project) ? AuthenticatorAppRegistry.Field.project.problem : nil
    }

    /// One site in the list.
    struct CustomerSiteEntry: Sendable, Equatable {
        let siteID: String
        let siteName: String
        let webhook: String?
        /// A number, or the word for any number.
        let textsPerDay: String
        let allowsLegacyDevices: Bool

        init(_ site: CustomerSite) {
            let draft = CustomerSiteDraft(site)
            siteID = site.id.rawValue
            siteName = draft.name
            webhook = site.webhook
            textsPerDay = draft.textsPerDay
            allowsLegacyDevices = draft.allowsLegacyDevices
        }
    }

    /// One app in the list.
    struct AppEntry: Sendable, Equatable {
        let appName: String
        /// No secret: it is part of every installed app.
        let appKey: String
        let bundleID: String?
        let project: String?

        init(_ app: AuthenticatorApp) {
            appName = app.name
            appKey = app.key.rawValue
            bundleID = app.bundleID
            project = app.project
        }
    }
}

/// The form of one site, to add or to change it.
struct CustomerSiteFormView: Page {
    static let template = PageTemplate.siteForm

    let personName: String
    let formToken: String
    /// The end of the form's address.
    let act: String
    let isNew: Bool
    let heading: LocalizedText
    /// The form field `site`; empty for a new one.
    let siteID: String
    let siteName: String
    let icon: String
    let webhook: String
    let allowsLegacyDevices: Bool
    /// One per line.
    let textPrefixes: String
    let textsPerDay: String
    /// The ``RecordVersion`` of the site; empty for a new one.
    var version = ""
    /// A message that the form was refused; the other fields describe each problem of the input.
    var problem: LocalizedText?
    let nameProblem: LocalizedText?
    let iconProblem: LocalizedText?
    let webhookProblem: LocalizedText?
    let textPrefixesProblem: LocalizedText?
    let textsPerDayProblem: LocalizedText?

    var title: LocalizedText { .title(heading, with: problem) }

    /// The form with a draft; `id` is `nil` for a new site.
    init(
        personName: String,
        formToken: String,
        changing id: String?,
        _ draft: CustomerSiteDraft,
        problems: [CustomerSiteDraft.Field: CustomerSiteProblem] = [:]
    ) {
        self.personName = personName
        self.formToken = formToken
        isNew = id == nil
        act = id == nil ? "add" : "change"
        heading = .text(id == nil ? .sitesAdd : .siteFormChangeTitle)
        siteID = id ?? ""
        siteName = draft.name
        icon = draft.icon
        webhook = draft.webhook
        allowsLegacyDevices = draft.allowsLegacyDevices
        textPrefixes = draft.textPrefixes.joined(separator: "\n")
        textsPerDay = draft.textsPerDay
        problem = problems.isEmpty ? nil : .text(.domainFormProblem)
        nameProblem = problems[.name]?.shown
        iconProblem = problems[.icon]?.shown
        webhookProblem = problems[.webhook]?.shown
        textPrefixesProblem = problems[.textPrefixes]?.shown
        textsPerDayProblem = problems[.textsPerDay]?.shown
    }
}

/// The page that shows the secret of a site, once.
struct CustomerSiteSecretView: Page {
    static let template = PageTemplate.siteSecret

    let personName: String
    let formToken: String
    let siteID: String
    let siteName: String
    /// The secret in the clear.
    let secret: String
    /// The address for the customer's server to open requests at.
    let address: String
    let isNew: Bool

    var title: LocalizedText { .text(isNew ? .siteSecretAdded : .siteSecretRenewed) }
}
