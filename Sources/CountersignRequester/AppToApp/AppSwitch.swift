internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The destination of a sign-in outside the app, and the return address of the answer; decided from the configuration
/// alone.
struct AppSwitch: Sendable, Equatable {
    /// The app or address to open.
    enum Destination: Sendable, Equatable {
        /// The provider's own app, after it was looked for.
        case app(ProviderApp)
        /// The https address of the authorization endpoint.
        case webAddress
    }

    /// The address that receives the app's answer.
    let redirect: RedirectURI
    let destination: Destination

    /// Decides what to open.
    ///
    /// The provider's app is opened by its scheme only on systems that hand no https addresses to apps.
    ///
    /// - Throws: The first problem of the redirect addresses.
    init(
        returningTo redirects: AppRedirects,
        at provider: ProviderProfile,
        by links: AppLinks
    ) throws(AppRedirects.ValidationError) {
        redirect = try redirects.address(for: links)
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
