/// One service that acts for the person, on the account page.
struct GuestServiceView: Sendable, Equatable {
    /// The form field `grant`, to end the service; no secret.
    let grant: String
    /// Its purpose in its own words.
    let servicePurpose: String
    /// The app's name.
    let client: String
    /// Whether the app chose that name itself.
    let isSelfNamed: Bool
    /// The name of its device, as it stated it.
    let deviceName: String?
    /// Its end at the latest.
    let serviceEnds: TimeDisplay
    let since: TimeDisplay
    /// `nil` for one that was not used since.
    let lastUsed: TimeDisplay?
    /// The network address of the request.
    let address: String?
    /// The identifier of the request; no secret.
    let historyID: String
}
