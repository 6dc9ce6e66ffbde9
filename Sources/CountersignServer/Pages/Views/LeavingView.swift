/// `/login/with/NAME`: the page that leads to another provider.
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
    /// Its name in paths.
    let providerID: String
    /// Its display name.
    let providerName: String

    init(_ provider: IdentityProvider) {
        providerID = provider.id.rawValue
        providerName = provider.displayName
    }
}

/// An account at another provider that signs a person in.
struct ConnectedIdentityView: Sendable {
    /// The provider's name, or the issuer of a removed one.
    let identityName: String
    /// The provider's name for the person; `nil` if it is unknown.
    let identityLabel: String?
    /// The issuer, a form field.
    let issuer: String
    /// The person's identifier there, a form field.
    let identitySubject: String
    /// The time of the connection.
    let connected: TimeDisplay
}
