internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One app on the account page that a person allowed to sign them in.
struct AllowedAppView: Sendable, Equatable {
    /// The form field `client`.
    let clientID: String
    /// The app's name.
    let client: String
    /// Whether the app gave itself that name.
    var isSelfNamed = false
    /// The permissions that it was given.
    let permissions: [PermissionLine]
    /// Since when.
    let given: TimeDisplay
}

extension AllowedAppView {
    init(_ consent: Consent, of client: Client, at now: Date) {
        clientID = consent.client.rawValue
        self.client = client.shownName
        isSelfNamed = client.namedItself
        permissions = consent.scope.words.map { PermissionLine($0) }
        given = TimeDisplay(consent.given, at: now)
    }
}
