/// A kind of audit entry: a decision, or a change of rights. Metrics count traffic.
public struct AuditAct: Identifier {
    /// The name as the audit stores and lists it, such as `sign_in.approved`.
    public let rawValue: String
    /// Creates an act from its stored name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // A request for sign-in, step by step. The first entry is written when a person takes it, or an app of theirs that
    // approves reads it: clients may ask for any number of them.
    /// An app that approves read the request for its person; there is one entry for each app.
    public static let seen = AuditAct("sign_in.seen")
    /// A person opened the request for sign-in and is about to decide.
    public static let taken = AuditAct("sign_in.taken")
    /// A person approved the request.
    public static let approved = AuditAct("sign_in.approved")
    /// A person typed a wrong number; a request has at most ``NumberToMatch/tries`` of these.
    public static let numberMissed = AuditAct("sign_in.number_missed")
    /// Policy did not allow a person's approval; there is one entry for each reason, which is the detail.
    public static let refused = AuditAct("sign_in.refused")
    /// A person denied the request.
    public static let denied = AuditAct("sign_in.denied")
    /// A person reported the request as foreign; it is denied, and its client muted.
    public static let reported = AuditAct("sign_in.reported")
    /// An approval was undone before tokens were issued, or its client took the request back.
    public static let withdrawn = AuditAct("sign_in.withdrawn")
    /// The screen that requested the tokens was not the peer of the link that carried the approval.
    public static let otherLink = AuditAct("sign_in.other_link")
    /// A client redeemed the approval for tokens.
    public static let signedIn = AuditAct("sign_in.redeemed")
    /// A client did not get the tokens of an approval; there is one entry for each reason, which is the detail.
    public static let redemptionRefused = AuditAct("sign_in.redemption_refused")

    /// A person muted a client; the detail is `reported` or `muted`.
    public static let muteAdded = AuditAct("mute.added")
    /// A person, or an operator for them, unmuted a client.
    public static let muteLifted = AuditAct("mute.lifted")
    /// A person chose to be remembered on a screen; the detail is its name.
    public static let screenRemembered = AuditAct("screen.remembered")
    /// A person is no longer remembered on a screen; the detail is its name.
    public static let screenForgotten = AuditAct("screen.forgotten")
    /// A person withdrew a consent; the sign-ins of the client end too.
    public static let consentWithdrawn = AuditAct("consent.withdrawn")
    /// An authorization code was redeemed again; its tokens are revoked.
    public static let codeReused = AuditAct("authorization_code.reused")

    // Ends of sign-ins and of tokens.
    /// A person or an operator ended a sign-in; its tokens are revoked.
    public static let signedOut = AuditAct("sign_in.ended")
    /// A client revoked one of its access tokens.
    public static let tokenRevoked = AuditAct("access_token.revoked")
    /// A refresh token that was replaced was used again; its whole family is revoked.
    public static let refreshTokenReused = AuditAct("refresh_token.reused")

    // People at their browsers.
    /// A person signed in at a browser.
    public static let loggedIn = AuditAct("browser.signed_in")
    /// A browser was registered for push messages; the detail is the origin of its push service.
    public static let browserPushAdded = AuditAct("browser.push_added")
    /// A person ended that registration.
    public static let browserPushRemoved = AuditAct("browser.push_removed")
    /// A user name or password was wrong.
    public static let loginFailed = AuditAct("browser.refused")
    /// A password that another system hashed was hashed anew at a sign-in; the detail names the earlier function.
    public static let passwordRehashed = AuditAct("person.password_rehashed")
    /// A second factor was wrong, or used before.
    public static let secondFactorRefused = AuditAct("browser.second_factor_refused")
    /// A recovery code was used; the detail says how many are left.
    public static let recoveryCodeUsed = AuditAct("browser.recovery_code_used")
    /// The counter of a passkey did not rise, so its key may have been copied; the detail names the passkey.
    public static let passkeyCounterWentBack = AuditAct("passkey.counter_went_back")
    /// The counter of a passkey that may be synchronised did not rise, which proves nothing: the passkey was accepted.
    public static let passkeyCounterLowered = AuditAct("passkey.counter_lowered")
    /// A person signed out of a browser.
    public static let loggedOut = AuditAct("browser.signed_out")

    /// The end of a session could not be delivered to a client; the detail says why.
    public static let logoutNotDelivered = AuditAct("logout.not_delivered")

    /// A decision over the back channel could not be delivered to a client; the detail says why.
    public static let decisionNotDelivered = AuditAct("sign_in.not_delivered")

    /// A text message, a mail or a webhook call could not be delivered; the detail says why.
    public static let messageNotDelivered = AuditAct("message.not_delivered")

    /// A limit was reached; there is one entry for each span of time, however often it is exceeded in it.
    public static let limitReached = AuditAct("limit.reached")
    /// An operator removed the count of a limit; the detail names the limit, and has the last digits of a number.
    public static let limitLifted = AuditAct("limit.lifted")

    // Devices that answer requests.
    /// A person made a ticket that enrols an app.
    public static let ticketMade = AuditAct("enrollment_ticket.made")
    /// A ticket was used again; the sign-in from its first use is ended.
    public static let ticketReused = AuditAct("enrollment_ticket.reused")
    /// A device was registered; the detail names it.
    public static let deviceAdded = AuditAct("device.added")
    /// A device was removed, by itself, its person or with its sign-in; the detail names it.
    public static let deviceRemoved = AuditAct("device.removed")
    /// A device was enrolled in a site, which is the client; the detail names the device.
    public static let environmentJoined = AuditAct("environment.joined")
    /// A device left a site, which is the client; the detail names the device.
    public static let environmentLeft = AuditAct("environment.left")

    // Means of signing in.
    /// A person added a passkey; the detail names it.
    public static let passkeyAdded = AuditAct("passkey.added")
    /// A person removed a passkey; the detail names it.
    public static let passkeyRemoved = AuditAct("passkey.removed")
    /// A person set up one-time passwords.
    public static let oneTimePasswordsEnrolled = AuditAct("one_time_passwords.enrolled")
    /// A person removed their one-time passwords.
    public static let oneTimePasswordsRemoved = AuditAct("one_time_passwords.removed")
    /// A person chose a user code for requests over the back channel.
    public static let backchannelUserCodeChosen = AuditAct("backchannel_user_code.chosen")
    /// A person removed that code.
    public static let backchannelUserCodeRemoved = AuditAct("backchannel_user_code.removed")
    /// A person got new recovery codes.
    public static let recoveryCodesRenewed = AuditAct("recovery_codes.renewed")
    /// An operator removed the passkeys and one-time passwords of a person.
    public static let personFactorsRemoved = AuditAct("person.factors_removed")

    /// A device verified a telephone number, which is its person's now; the detail has its last digits.
    public static let phoneNumberProved = AuditAct("phone_number.proved")
    /// A device verified a telephone number of another person; it moves after a delay.
    public static let phoneNumberClaimed = AuditAct("phone_number.claimed")
    /// The device that has a telephone number objected to its move.
    public static let phoneNumberKept = AuditAct("phone_number.kept")
    /// A telephone number moved to another device.
    public static let phoneNumberMoved = AuditAct("phone_number.moved")
    // Devices with the older SDK, whose evidence is weaker.
    /// A device with the older SDK is no longer verified; the detail says why.
    public static let legacyDeviceUnverified = AuditAct("older_device.unverified")
    /// A device with the older SDK joined a site, which is the client of the entry; the detail is its model.
    public static let legacyDeviceJoined = AuditAct("older_device.joined")
    /// A device with the older SDK left a site, which is the client of the entry.
    public static let legacyDeviceLeft = AuditAct("older_device.left")

    // Changes by an operator.
    /// A telephone number was entered for a person; the detail has its last digits.
    public static let phoneNumberAdded = AuditAct("person.phone_number_added")
    /// A telephone number of a person was removed; the detail has its last digits.
    public static let phoneNumberRemoved = AuditAct("person.phone_number_removed")
    /// An account was added.
    public static let personAdded = AuditAct("person.added")
    /// An import or an operator changed what is known of a person.
    public static let personChanged = AuditAct("person.changed")
    /// A person was locked.
    public static let personLocked = AuditAct("person.locked")
    /// A person was unlocked.
    public static let personUnlocked = AuditAct("person.unlocked")
    /// A person was signed out everywhere.
    public static let personSignedOut = AuditAct("person.signed_out")
    /// An operator or administrator revoked a device of a person; the detail names it.
    public static let deviceRevoked = AuditAct("device.revoked")
    /// A person marked their account for removal; the detail says when it is removed.
    public static let removalRequested = AuditAct("person.removal_requested")
    /// A person kept their account, which was marked for removal.
    public static let removalCancelled = AuditAct("person.removal_cancelled")
    /// Everything about a person was exported, by them or by an operator.
    public static let personExported = AuditAct("person.exported")
    /// An account was removed.
    public static let personRemoved = AuditAct("person.removed")
    /// A person became an administrator; the detail is the role.
    public static let personMadeAdministrator = AuditAct("person.made_administrator")
    /// A person ceased to be an administrator.
    public static let personUnmadeAdministrator = AuditAct("person.unmade_administrator")
    /// An identity at another provider was connected with a person; the detail names the issuer.
    public static let identityConnected = AuditAct("identity.connected")
    /// An identity at another provider was disconnected from a person; the detail names the issuer.
    public static let identityDisconnected = AuditAct("identity.disconnected")
    /// Another provider was added.
    public static let providerAdded = AuditAct("provider.added")
    /// Another provider was removed.
    public static let providerRemoved = AuditAct("provider.removed")
    /// A person verified their e-mail address.
    public static let emailVerified = AuditAct("person.email_verified")
    /// A person's password was changed.
    public static let passwordChanged = AuditAct("person.password_changed")
    /// A group of people was added; the detail names it.
    public static let groupAdded = AuditAct("group.added")
    /// A group of people was removed; the detail names it.
    public static let groupRemoved = AuditAct("group.removed")
    /// A person or a group became a member of a group; the detail names both.
    public static let groupMemberAdded = AuditAct("group.member_added")
    /// A person or a group ceased to be a member of a group; the detail names both.
    public static let groupMemberRemoved = AuditAct("group.member_removed")
    /// A claim was declared; the detail names it.
    public static let claimAdded = AuditAct("claim.added")
    /// The declaration of a claim was removed; the detail names it.
    public static let claimRemoved = AuditAct("claim.removed")
    /// A link was made that sets a person's password; the detail says until when.
    public static let passwordResetLinkMade = AuditAct("person.password_reset_link_made")
    /// A link was made that creates a person, the subject; the detail says until when.
    public static let personInvited = AuditAct("person.invited")
    /// An invitation was withdrawn; the detail says of which e-mail address.
    public static let invitationRemoved = AuditAct("person.invitation_removed")
    /// A client was registered.
    public static let clientAdded = AuditAct("client.added")
    /// A client's registration was changed.
    public static let clientChanged = AuditAct("client.changed")
    /// A client got a new secret; the detail says until when the old one is accepted.
    public static let clientSecretRenewed = AuditAct("client.secret_renewed")
    /// A client was removed.
    public static let clientRemoved = AuditAct("client.removed")
    /// A token that allows the registration of clients was minted.
    public static let initialAccessTokenAdded = AuditAct("initial_access_token.added")
    /// A token that allows the registration of clients was removed.
    public static let initialAccessTokenRemoved = AuditAct("initial_access_token.removed")
    /// A service was added.
    public static let domainAdded = AuditAct("domain.added")
    /// A service's settings were changed.
    public static let domainChanged = AuditAct("domain.changed")
    /// A service got a new credential.
    public static let domainCredentialRenewed = AuditAct("domain.credential_renewed")
    /// A service was removed.
    public static let domainRemoved = AuditAct("domain.removed")
    /// A site was added; the client of the entry is the site.
    public static let environmentAdded = AuditAct("environment.added")
    /// The settings of a site were changed.
    public static let environmentChanged = AuditAct("environment.changed")
    /// A site got a new secret; the detail says until when the old one is accepted.
    public static let environmentSecretRenewed = AuditAct("environment.secret_renewed")
    /// A site was removed, and its open requests with it.
    public static let environmentRemoved = AuditAct("environment.removed")
    /// An app key was added; the detail names it.
    public static let appKeyAdded = AuditAct("app_key.added")
    /// An app key was removed; the detail names it.
    public static let appKeyRemoved = AuditAct("app_key.removed")
    /// A signing key was created.
    public static let keyAdded = AuditAct("key.added")
    /// A signing key stopped signing; it is still published.
    public static let keyRetired = AuditAct("key.retired")
    /// A signing key was removed, and is no longer published.
    public static let keyRemoved = AuditAct("key.removed")
    /// A new key that signs the head of the audit was created, because the earlier one was missing.
    public static let auditKeyAdded = AuditAct("audit_key.added")
}

/// The party that caused an entry.
public enum AuditActor: String, Sendable, CaseIterable {
    /// The person whom the entry names, signed in at a browser.
    case person
    /// The client that the entry names.
    case client
    /// A user of the command on the server's own machine.
    case `operator`
    /// An administrator at a browser, for the person whom the entry names; the detail of their act names them.
    case administrator
    /// The server by itself.
    case server
    /// A party that did not authenticate.
    case stranger
}
