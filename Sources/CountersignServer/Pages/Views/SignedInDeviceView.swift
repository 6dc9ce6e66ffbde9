internal import FoundationEssentialsCompat

/// One screen on the account page.
struct SignedInDeviceView: Sendable, Equatable {
    /// The form field `grant`, to sign the screen out; no secret.
    let grant: String
    /// The app's name.
    let client: String
    /// Whether the app chose that name itself.
    var isSelfNamed = false
    /// The screen's name, as it stated it.
    let deviceName: String?
    /// Its sign-ins; the one for this server has no service name.
    let signIns: [AccountSignIn]
    let canSignOut: Bool
    /// Whether signing out ends more than one sign-in.
    let hasSeveral: Bool
    /// The number of a registered device; only where another screen has the same name.
    var number: String?
    /// The time of that device's registration.
    var known: TimeDisplay?
    /// Its software, as it stated it.
    var software: String?

    /// Whether both screens have the same names, so that a person could confuse them.
    func looksLike(_ other: SignedInDeviceView) -> Bool {
        client == other.client && deviceName == other.deviceName
    }

    /// A screen that is signed in; for a device, with all its sign-ins.
    static func signedIn(
        grant: String, client: String, deviceName: String?, signIns: [AccountSignIn]
    ) -> SignedInDeviceView {
        SignedInDeviceView(
            grant: grant, client: client, deviceName: deviceName.map(FactLine.claim), signIns: signIns,
            canSignOut: true, hasSeveral: signIns.count > 1)
    }

    /// An unredeemed approval, which can be undone.
    static func waiting(
        grant: String, client: String, deviceName: String?, signIn: AccountSignIn
    ) -> SignedInDeviceView {
        SignedInDeviceView(
            grant: grant, client: client, deviceName: deviceName.map(FactLine.claim), signIns: [signIn],
            canSignOut: false, hasSeveral: false)
    }
}

/// A new sign-in on the account page.
struct NewSignInView: Sendable {
    /// The name of the app, as it is registered.
    let newSignInName: String
    /// Whether the app chose that name itself.
    var isNewNameOwn = false
    let newSignInAdded: TimeDisplay
}

/// One service that a screen is signed in for.
struct AccountSignIn: Sendable, Equatable {
    /// The form field `grant`, to take the approval back; no secret.
    let undoGrant: String
    /// The service, unless it is this server itself.
    let forService: String?
    /// The network address of the request.
    let address: String?
    /// The label of `since`.
    let sinceLabel: LocalizedText
    let since: TimeDisplay
    let lastUsed: TimeDisplay?
    /// The remaining time for an undo, in words.
    let undoLeft: LocalizedText?
    /// The end of that time.
    let undoUntil: TimeDisplay?
    /// Whether the approval is final, because it was delivered.
    let isDelivered: Bool
    /// The identifier of the request; no secret.
    var historyID: String?
    /// The time when it ends by itself; `nil` for none.
    var signInEnds: TimeDisplay?

    /// A redeemed sign-in.
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
            undoLeft: undo.left(at: now),
            undoUntil: undo.end(at: now),
            isDelivered: undo == .delivered
        )
    }

    /// An unredeemed approval.
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
            undoLeft: undo.left(at: now),
            undoUntil: undo.end(at: now),
            isDelivered: undo == .delivered
        )
    }
}

extension UndoWindow {
    /// The end of the time for an undo; `nil` when none is possible.
    fileprivate func end(at now: Date) -> TimeDisplay? {
        guard case .open(until: let end) = self, end > now else { return nil }
        return TimeDisplay(end, at: now)
    }

    /// The remaining time for an undo, in words; `nil` when none is possible.
    fileprivate func left(at now: Date) -> LocalizedText? {
        guard case .open(until: let end) = self, end > now else { return nil }
        return TimeDisplay.span(end.timeIntervalSince(now))
    }
}
