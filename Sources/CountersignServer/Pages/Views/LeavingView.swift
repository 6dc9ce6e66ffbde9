/// `/login/with/NAME`: the browser goes on to another provider by itself, or by this link.
struct LeavingView: Page {
    static let template = PageTemplate.leaving

    /// The provider's name.
    let providerName: String
    /// The browser's destination.
    let address: String

    var title: LocalizedText { .text(.leavingHeading, ["providerName": .verbatim(providerName)]) }
}

/// A provider that can sign a person in, or be connected with their account.
struct OfferedProviderView: Sendable {
    /// Its name in addresses.
    let providerID: String
    /// Its name as people know it.
    let providerName: String

    init(_ provider: IdentityProvider) {
        providerID = provider.id.rawValue
        providerName = provider.displayName
    }
}

/// An account at another provider that signs a person in.
struct ConnectedIdentityView: Sendable {
    /// The provider's name, or its address where it is not configured any more.
    let identityName: String
    /// The provider's name for the person; `nil` where it is not known.
    let identityLabel: String?
    /// The issuer, a form field.
    let issuer: String
    /// The person's identifier there, a form field.
    let identitySubject: String
    /// Since when it is connected.
    let connected: TimeDisplay
}
