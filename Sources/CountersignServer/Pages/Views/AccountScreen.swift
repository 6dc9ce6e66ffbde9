#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One screen on the account page.
struct AccountScreen: Sendable, Equatable {
    /// Goes back as `grant`; no secret.
    let grant: String
    /// The app's registered name.
    let client: String
    /// What the screen called itself when it asked.
    let deviceName: String?
    /// The address from which it asked.
    let address: String?
    /// What began at `since`.
    let sinceLabel: String
    let since: ShownTime
    let lastUsed: ShownTime?
    /// How long the approval can be taken back, in words.
    let undoLeft: String?
    let canSignOut: Bool

    /// A screen that is signed in; its approval can be taken back until `undoUntil`.
    static func signedIn(
        grant: String,
        client: String,
        deviceName: String?,
        address: String?,
        since: Date,
        lastUsed: Date?,
        undoUntil: Date?,
        at now: Date
    ) -> AccountScreen {
        AccountScreen(
            grant: grant,
            client: client,
            deviceName: deviceName.map(ShownFact.claim),
            address: address,
            sinceLabel: "Signed in",
            since: ShownTime(since, at: now),
            lastUsed: lastUsed.map { ShownTime($0, at: now) },
            undoLeft: left(until: undoUntil, at: now),
            canSignOut: true
        )
    }

    /// An approval that its screen has not picked up yet. Undo is the way to end it, until `undoUntil`.
    static func waiting(
        grant: String,
        client: String,
        deviceName: String?,
        address: String?,
        approved: Date,
        undoUntil: Date?,
        at now: Date
    ) -> AccountScreen {
        AccountScreen(
            grant: grant,
            client: client,
            deviceName: deviceName.map(ShownFact.claim),
            address: address,
            sinceLabel: "Approved",
            since: ShownTime(approved, at: now),
            lastUsed: nil,
            undoLeft: left(until: undoUntil, at: now),
            canSignOut: false
        )
    }

    private static func left(until end: Date?, at now: Date) -> String? {
        guard let end, end > now else { return nil }
        return ShownTime.span(end.timeIntervalSince(now))
    }
}
