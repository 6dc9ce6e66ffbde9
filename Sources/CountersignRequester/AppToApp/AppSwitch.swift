internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How a sign-in leaves the app: decided from what was configured, before anything is opened.
struct AppSwitch: Sendable, Equatable {
    /// Whom the person is sent to.
    enum Destination: Sendable, Equatable {
        /// The provider's own app, after it was looked for.
        case app(ProviderApp)
        /// The https address of the authorization endpoint.
        case webAddress
    }

    /// Where the answer will come to.
    let redirect: RedirectURI
    let destination: Destination

    /// Why a sign-in cannot start.
    enum Refusal: Error, Equatable {
        case clientID
        case redirect(AppRedirects.Problem)
    }

    /// Decides; the first thing that is wrong counts.
    ///
    /// The provider's app is asked by its scheme only where the system hands no https addresses to apps.
    init(
        as client: ClientID,
        returningTo redirects: AppRedirects,
        at provider: ProviderProfile,
        by links: AppLinks
    ) throws(Refusal) {
        guard !client.rawValue.isEmpty else { throw .clientID }
        do throws(AppRedirects.Problem) {
            redirect = try redirects.address(for: links)
        } catch {
            throw .redirect(error)
        }
        switch (links, provider.app) {
        case (.schemesOnly, let app?): destination = .app(app)
        case (.schemesOnly, nil), (.schemesAndWebAddresses, _): destination = .webAddress
        }
    }
}

extension Form {
    /// The address to open: the parameters are added to those of `endpoint`, and can add none themselves.
    ///
    /// A space is written as `%20`, which both forms and other readers of addresses understand.
    /// Standard: RFC 6749 §3.1.
    func address(at endpoint: String, adding parameters: [ProviderApp.Parameter] = []) -> URL? {
        var form = self
        for parameter in parameters { form[parameter.name] = parameter.value }
        let query = form.encoded.replacing("+", with: "%20")
        return URL(string: "\(endpoint)\(Form.separator(after: endpoint))\(query)")
    }
}
