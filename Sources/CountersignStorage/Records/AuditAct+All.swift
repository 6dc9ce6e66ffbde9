extension AuditAct {
    /// All acts, in the order of their declarations.
    package static let all: [AuditAct] = [
        .seen, .taken, .approved, .numberMissed, .refused, .denied, .reported, .withdrawn, .otherLink, .signedIn,
        .redemptionRefused, .muteAdded, .muteLifted, .screenRemembered, .screenForgotten, .consentWithdrawn,
        .codeReused, .signedOut, .tokenRevoked, .refreshTokenReused, .loggedIn, .browserPushAdded,
        .browserPushRemoved, .loginFailed, .passwordRehashed, .secondFactorRefused, .recoveryCodeUsed,
        .passkeyCounterWentBack, .passkeyCounterLowered, .loggedOut, .logoutNotDelivered, .decisionNotDelivered,
        .messageNotDelivered, .limitReached, .limitLifted, .ticketMade, .ticketReused, .deviceAdded, .deviceRemoved,
        .environmentJoined, .environmentLeft, .passkeyAdded, .passkeyRemoved, .oneTimePasswordsEnrolled,
        .oneTimePasswordsRemoved, .backchannelUserCodeChosen, .backchannelUserCodeRemoved, .recoveryCodesRenewed,
        .personFactorsRemoved, .phoneNumberProved, .phoneNumberClaimed, .phoneNumberKept, .phoneNumberMoved,
        .legacyDeviceUnverified, .legacyDeviceJoined, .legacyDeviceLeft, .phoneNumberAdded, .phoneNumberRemoved,
        .personAdded, .personChanged, .personLocked, .personUnlocked, .personSignedOut, .deviceRevoked,
        .removalRequested, .removalCancelled, .personExported, .personRemoved, .personMadeAdministrator,
        .personUnmadeAdministrator, .identityConnected, .identityDisconnected, .providerAdded, .providerRemoved,
        .emailVerified, .passwordChanged, .groupAdded, .groupRemoved, .groupMemberAdded, .groupMemberRemoved,
        .claimAdded, .claimRemoved, .passwordResetLinkMade, .personInvited, .invitationRemoved, .clientAdded,
        .clientChanged, .clientSecretRenewed, .clientRemoved, .initialAccessTokenAdded, .initialAccessTokenRemoved,
        .domainAdded, .domainChanged, .domainCredentialRenewed, .domainRemoved, .environmentAdded,
        .environmentChanged, .environmentSecretRenewed, .environmentRemoved, .appKeyAdded, .appKeyRemoved,
        .keyAdded, .keyRetired, .keyRemoved, .auditKeyAdded,
    ]
}
