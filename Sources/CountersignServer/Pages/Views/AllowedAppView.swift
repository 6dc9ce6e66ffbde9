internal import FoundationEssentialsCompat

/// An app with consent on the account page.
struct AllowedAppView: Sendable, Equatable {
    /// The form field `client`.
    let clientID: String
    /// The app's name.
    let client: String
    /// Whether the app chose that name itself.
    var isSelfNamed = false
    /// Its permissions.
    let permissions: [PermissionLine]
    /// The time of the consent.
    let given: TimeDisplay
}

extension AllowedAppView {
    init(_ consent: Consent, of client: Client, giving claims: [ClaimMapping], at now: Date) {
        clientID = consent.client.rawValue
        self.client = client.shownName
        isSelfNamed = client.namedItself
        permissions = consent.scope.permissions(giving: claims)
        given = TimeDisplay(consent.given, at: now)
    }
}
