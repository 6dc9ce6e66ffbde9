#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One screen on the account page.
struct SignedInDeviceView: Sendable, Equatable {
    /// The form field `grant`, to sign the screen out; no secret.
    let grant: String
    /// The app's name.
    let client: String
    /// Whether the app gave itself that name.
    var isSelfNamed = false
    /// The screen's name for itself when it asked.
    let deviceName: String?
    /// The services that it is signed in for; the entry for this server itself has no name.
    let signIns: [AccountSignIn]
    let canSignOut: Bool
    /// Whether signing out ends more than one sign-in.
    let hasSeveral: Bool
    /// The number of a registered device; only where another screen has the same name.
    var number: String?
    /// The time of that device's registration.
    var known: TimeDisplay?
    /// Its software, as it names itself.
    var software: String?

    /// Whether both screens have the same names, so that a person could confuse them.
    func looksLike(_ other: SignedInDeviceView) -> Bool {
        client == other.client && deviceName == other.deviceName
    }

    /// A screen that is signed in; for a device, with all its sign-ins.
    static func signedIn(
        grant: String,
        client: String,
        deviceName: String?,
        signIns: [AccountSignIn]
    ) -> SignedInDeviceView {
        SignedInDeviceView(
            grant: grant,
            client: client,
            deviceName: deviceName.map(FactLine.claim),
            signIns: signIns,
            canSignOut: true,
            hasSeveral: signIns.count > 1
        )
    }

    /// An approval that its screen has not picked up yet. It can be ended by undo.
    static func waiting(
        grant: String,
        client: String,
        deviceName: String?,
        signIn: AccountSignIn
    ) -> SignedInDeviceView {
        SignedInDeviceView(
            grant: grant,
            client: client,
            deviceName: deviceName.map(FactLine.claim),
            signIns: [signIn],
            canSignOut: false,
            hasSeveral: false
        )
    }
}

/// A screen or app that signed in a short while ago, which the account page points out.
struct NewSignInView: Sendable {
    /// The name of the app, as it is registered.
    let newSignInName: String
    /// Whether the app gave itself that name.
    var isNewNameOwn = false
    let newSignInAdded: TimeDisplay
}

/// One service that a screen is signed in for.
struct AccountSignIn: Sendable, Equatable {
    /// The form field `grant`, to take the approval back; no secret.
    let undoGrant: String
    /// The service, unless it is this server itself.
    let forService: String?
    /// The address that the screen asked from.
    let address: String?
    /// The label of `since`, which says what began then.
    let sinceLabel: LocalizedText
    let since: TimeDisplay
    let lastUsed: TimeDisplay?
    /// Whether it is so new that a person who does not know it should look: a day.
    let isNew: Bool
    /// The time left to take the approval back, in words.
    let undoLeft: LocalizedText?
    /// Whether the approval cannot be taken back because the app has it.
    let isDelivered: Bool

    /// A sign-in of a screen that has picked it up; with whether its approval can be taken back.
    static func pickedUp(
        _ grant: String,
        forService service: String? = nil,
        from address: String?,
        since: Date,
        lastUsed: Date?,
        undo: UndoWindow,
        at now: Date
    ) -> AccountSignIn {
        AccountSignIn(
            undoGrant: grant,
            forService: service,
            address: address,
            sinceLabel: .text(.accountSignedIn),
            since: TimeDisplay(since, at: now),
            lastUsed: lastUsed.map { TimeDisplay($0, at: now) },
            isNew: now.timeIntervalSince(since) < Self.newness,
            undoLeft: undo.left(at: now),
            isDelivered: undo == .delivered
        )
    }

    /// An approval that waits to be picked up.
    static func waiting(
        _ grant: String,
        forService service: String? = nil,
        from address: String?,
        approved: Date,
        undo: UndoWindow,
        at now: Date
    ) -> AccountSignIn {
        AccountSignIn(
            undoGrant: grant,
            forService: service,
            address: address,
            sinceLabel: .text(.accountApproved),
            since: TimeDisplay(approved, at: now),
            lastUsed: nil,
            isNew: true,
            undoLeft: undo.left(at: now),
            isDelivered: undo == .delivered
        )
    }

    /// The time that a sign-in is new for, in seconds: 1 day.
    private static let newness: TimeInterval = 86_400
}

extension UndoWindow {
    /// The time left to take an approval back, in words; `nil` when it cannot be.
    fileprivate func left(at now: Date) -> LocalizedText? {
        guard case .open(until: let end) = self, end > now else { return nil }
        return TimeDisplay.span(end.timeIntervalSince(now))
    }
}
