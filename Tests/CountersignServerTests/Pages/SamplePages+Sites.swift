import Countersign
import Foundation

@testable import CountersignServer

extension SamplePages {
    /// The pages about customers' sites, and the keys of apps.
    static func sites(_ text: String) -> [(String, any Page)] {
        var site = CustomerSite(
            id: CustomerSiteID(text), name: text, secret: CustomerSite.SealedSecret(restoring: []),
            created: noon)
        site.iconURL = text
        site.webhook = text
        site.allowsLegacyDevices = true
        site.texts.prefixes = [text]
        let app = AuthenticatorApp(key: AppKey(text), name: text, bundleID: text, project: text, created: noon)
        let problems = Dictionary(
            uniqueKeysWithValues: CustomerSiteDraft.Field.allCases.map { ($0, CustomerSiteProblem.badName) })
        func form(_ id: String?, _ problems: [CustomerSiteDraft.Field: CustomerSiteProblem] = [:])
            -> CustomerSiteFormView
        {
            CustomerSiteFormView(
                personName: text, formToken: text, changing: id, CustomerSiteDraft(site), problems: problems)
        }
        let empty = CustomerSiteListView(personName: text, formToken: text, sites: [], apps: [])
        var full = CustomerSiteListView(
            personName: text, formToken: text, notice: .verbatim(text),
            sites: [CustomerSiteListView.CustomerSiteEntry(site)],
            apps: [CustomerSiteListView.AppEntry(app)])
        (full.moreSites, full.moreApps) = ("/\(text)", "/\(text)")
        (full.typedName, full.typedBundleID, full.typedProject) = (text, text, text)
        full.refuse(Set(AuthenticatorAppRegistry.Field.allCases))
        return [
            ("no sites", empty), ("sites", full), ("new site", form(nil)),
            ("site", form(text)), ("site again", form(text, problems)),
            (
                "secret of a site",
                CustomerSiteSecretView(
                    personName: text, formToken: text, siteID: text, siteName: text, secret: text,
                    address: text, isNew: false)
            ),
            ("removal of a key", confirmation(of: .removal(of: app), text)),
            ("removal of a site", confirmation(of: .removal(of: site), text)),
        ]
    }
}
