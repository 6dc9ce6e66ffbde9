import Countersign
import Foundation

@testable import CountersignServer

extension SamplePages {
    /// The pages about customers' sites, and the keys of apps.
    static func environments(_ text: String) -> [(String, any Page)] {
        var environment = CustomerSite(
            id: CustomerSiteID(text), name: text, secret: CustomerSite.SealedSecret(restoring: []),
            created: noon)
        environment.iconURL = text
        environment.webhook = text
        environment.allowsLegacyDevices = true
        environment.texts.prefixes = [text]
        let app = AuthenticatorApp(key: AppKey(text), name: text, bundleID: text, project: text, created: noon)
        let problems = Dictionary(
            uniqueKeysWithValues: CustomerSiteDraft.Field.allCases.map { ($0, CustomerSiteProblem.badName) })
        func form(_ id: String?, _ problems: [CustomerSiteDraft.Field: CustomerSiteProblem] = [:])
            -> CustomerSiteFormView
        {
            CustomerSiteFormView(
                personName: text, formToken: text, changing: id, CustomerSiteDraft(environment), problems: problems)
        }
        let empty = CustomerSiteListView(personName: text, formToken: text, environments: [], apps: [])
        var full = CustomerSiteListView(
            personName: text, formToken: text, notice: .verbatim(text),
            environments: [CustomerSiteListView.CustomerSiteEntry(environment)],
            apps: [CustomerSiteListView.AppEntry(app)])
        (full.typedName, full.typedBundleID, full.typedProject) = (text, text, text)
        full.refuse(Set(AuthenticatorAppRegistry.Field.allCases))
        return [
            ("no environments", empty), ("environments", full), ("new environment", form(nil)),
            ("environment", form(text)), ("environment again", form(text, problems)),
            (
                "secret of an environment",
                CustomerSiteSecretView(
                    personName: text, formToken: text, environmentID: text, environmentName: text, secret: text,
                    address: text, isNew: false)
            ),
            ("removal of a key", AdminConfirmationView(.removeApp(app), personName: text, formToken: text)),
            (
                "removal of an environment",
                AdminConfirmationView(.removeCustomerSite(environment), personName: text, formToken: text)
            ),
        ]
    }
}
