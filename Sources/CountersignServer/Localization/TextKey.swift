/// The keys of texts in code; templates use further ones.
enum TextKey: String, Sendable, CaseIterable {
    // MARK: page

    case pageProblemTitle = "page.problemTitle"
    case pageSignIn = "page.signIn"
    case pageAsked = "page.asked"
    case pageAskedFrom = "page.askedFrom"

    // MARK: time

    case timeJustNow = "time.justNow"
    case timeAgo = "time.ago"
    case timeDate = "time.date"
    case timeMonth01 = "time.month.01"
    case timeMonth02 = "time.month.02"
    case timeMonth03 = "time.month.03"
    case timeMonth04 = "time.month.04"
    case timeMonth05 = "time.month.05"
    case timeMonth06 = "time.month.06"
    case timeMonth07 = "time.month.07"
    case timeMonth08 = "time.month.08"
    case timeMonth09 = "time.month.09"
    case timeMonth10 = "time.month.10"
    case timeMonth11 = "time.month.11"
    case timeMonth12 = "time.month.12"

    // MARK: login

    case loginWrong = "login.wrong"
    case loginLocked = "login.locked"
    case loginAnotherPerson = "login.anotherPerson"
    case loginAgain = "login.again"
    case loginRecentScope = "login.recentScope"
    case loginAnotherWay = "login.anotherWay"
    case loginNoPasskeyMade = "login.noPasskeyMade"

    // MARK: secondFactor

    case secondFactorTitle = "secondFactor.title"
    case secondFactorWrong = "secondFactor.wrong"
    case secondFactorUsed = "secondFactor.used"
    case secondFactorWrongPair = "secondFactor.wrongPair"
    case secondFactorUsedPair = "secondFactor.usedPair"
    case secondFactorWrongRecovery = "secondFactor.wrongRecovery"

    // MARK: leaving

    case leavingHeading = "leaving.heading"

    // MARK: codeEntry

    case codeEntryHeading = "codeEntry.heading"
    case codeEntryAwaited = "codeEntry.awaited"
    case codeEntryNotMyScreen = "codeEntry.notMyScreen"
    case codeEntryUnreadable = "codeEntry.unreadable"
    case codeEntryUnknown = "codeEntry.unknown"
    case codeEntryGone = "codeEntry.gone"
    case codeEntryLinkIsNotEnough = "codeEntry.linkIsNotEnough"

    // MARK: linkArrival

    case linkArrivalScreenHeading = "linkArrival.screenHeading"

    // MARK: confirm

    case confirmTitle = "confirm.title"
    case confirmNumberReason = "confirm.numberReason"
    case confirmWrongNumber = "confirm.wrongNumber"
    case confirmTooEarly = "confirm.tooEarly"
    case confirmLeadNamed = "confirm.leadNamed"
    case confirmLeadMessage = "confirm.leadMessage"
    case confirmQuestionNow = "confirm.questionNow"
    case confirmAdviceNow = "confirm.adviceNow"
    case confirmLeadAddressed = "confirm.leadAddressed"
    case confirmQuestionAddressed = "confirm.questionAddressed"
    case confirmAdviceAddressed = "confirm.adviceAddressed"
    case confirmLeadCode = "confirm.leadCode"
    case confirmQuestionCode = "confirm.questionCode"
    case confirmAdviceCode = "confirm.adviceCode"

    // MARK: consent

    case consentNotConfirmed = "consent.notConfirmed"
    case consentChanged = "consent.changed"

    // MARK: postedAnswer

    case postedAnswerTitle = "postedAnswer.title"

    // MARK: fact

    case factApp = "fact.app"
    case factService = "fact.service"
    case factOrigin = "fact.origin"
    case factSiteSays = "fact.siteSays"
    case factClaims = "fact.claims"
    case factSoftware = "fact.software"
    case factReturnsTo = "fact.returnsTo"
    case factVerified = "fact.verified"
    case factObserved = "fact.observed"
    case factAsserted = "fact.asserted"
    case factNotVerified = "fact.notVerified"
    case factAnyProgram = "fact.anyProgram"
    case factOwnName = "fact.ownName"
    case factAnyProgramHere = "fact.anyProgramHere"
    case factSameAddress = "fact.sameAddress"
    case factOtherAddress = "fact.otherAddress"
    case factProgramHere = "fact.programHere"
    case factAppHere = "fact.appHere"

    // MARK: permission

    case permissionOpenid = "permission.openid"
    case permissionProfile = "permission.profile"
    case permissionEmail = "permission.email"
    case permissionNearbyApprove = "permission.nearbyApprove"
    case permissionOfflineAccess = "permission.offlineAccess"
    case permissionAddress = "permission.address"
    case permissionPhone = "permission.phone"
    case permissionUnknown = "permission.unknown"
    case permissionUseService = "permission.useService"

    // MARK: result

    case resultApproved = "result.approved"
    case resultApprovedForService = "result.approvedForService"
    case resultApprovedHappened = "result.approvedHappened"
    case resultApprovedNext = "result.approvedNext"
    case resultDenied = "result.denied"
    case resultDeniedHappened = "result.deniedHappened"
    case resultDeniedNext = "result.deniedNext"
    case resultUndone = "result.undone"
    case resultUndoneHappened = "result.undoneHappened"
    case resultUndoneNext = "result.undoneNext"
    case resultExpired = "result.expired"
    case resultExpiredHappened = "result.expiredHappened"
    case resultExpiredNext = "result.expiredNext"
    case resultNearbyOnly = "result.nearbyOnly"
    case resultNearbyOnlyHappened = "result.nearbyOnlyHappened"
    case resultNearbyOnlyNext = "result.nearbyOnlyNext"
    case resultNotLikeThis = "result.notLikeThis"
    case resultPasswordOnlyHappened = "result.passwordOnlyHappened"
    case resultPasswordOnlyNext = "result.passwordOnlyNext"
    case resultSecondFactorOnlyHappened = "result.secondFactorOnlyHappened"
    case resultSecondFactorOnlyNext = "result.secondFactorOnlyNext"
    case resultUnmetHappened = "result.unmetHappened"
    case resultUnmetNext = "result.unmetNext"
    case resultPasskeyOnly = "result.passkeyOnly"
    case resultPasskeyOnlyHappened = "result.passkeyOnlyHappened"
    case resultPasskeyOnlyNext = "result.passkeyOnlyNext"
    case resultAlreadyDecided = "result.alreadyDecided"
    case resultAlreadyDecidedHappened = "result.alreadyDecidedHappened"
    case resultAlreadyDecidedNext = "result.alreadyDecidedNext"

    // MARK: account

    case accountTitle = "account.title"
    case accountAnAuthenticator = "account.anAuthenticator"
    case accountPassword = "account.password"
    case accountMutedReported = "account.muted.reported"
    case accountMutedChosen = "account.muted.chosen"
    case accountSignedIn = "account.signedIn"
    case accountApproved = "account.approved"
    case accountDoneSignedOut = "account.done.signedOut"
    case accountDoneUndone = "account.done.undone"
    case accountDoneWithdrawn = "account.done.withdrawn"
    case accountDoneMuted = "account.done.muted"
    case accountDoneUnmuted = "account.done.unmuted"
    case accountDoneTooLate = "account.done.tooLate"
    case accountDoneDelivered = "account.done.delivered"
    case accountDoneNothing = "account.done.nothing"
    case accountDoneConnected = "account.done.connected"
    case accountDoneDisconnected = "account.done.disconnected"
    case accountDoneLastWay = "account.done.lastWay"
    case accountDonePasskeyAdded = "account.done.passkeyAdded"
    case accountDonePasskeyRemoved = "account.done.passkeyRemoved"
    case accountDoneDeviceRemoved = "account.done.deviceRemoved"
    case accountDoneDeviceNamed = "account.done.deviceNamed"
    case accountDoneAuthenticatorRemoved = "account.done.authenticatorRemoved"

    // MARK: passkey

    case passkeyTitle = "passkey.title"
    case passkeyNoCredential = "passkey.noCredential"
    case passkeyStale = "passkey.stale"
    case passkeyKnown = "passkey.known"
    case passkeyTooMany = "passkey.tooMany"
    case passkeyUnusable = "passkey.unusable"
    case passkeyCopied = "passkey.copied"
    case passkeySignsNobodyIn = "passkey.signsNobodyIn"

    // MARK: oneTime

    case oneTimeTitle = "oneTime.title"
    case oneTimeWrong = "oneTime.wrong"

    // MARK: recoveryCodes

    case recoveryCodesTitle = "recoveryCodes.title"
    case recoveryCodesOn = "recoveryCodes.on"
    case recoveryCodesRenewed = "recoveryCodes.renewed"

    // MARK: enrollment

    case enrollmentTitle = "enrollment.title"

    // MARK: enrollmentArrival

    case enrollmentArrivalTitle = "enrollmentArrival.title"

    // MARK: environmentCode

    case environmentCodeTitle = "environmentCode.title"

    // MARK: endSession

    case endSessionTitle = "endSession.title"

    // MARK: Sites, and codes

    case accountDoneBackchannelUserCodeChosen = "account.done.backchannelUserCodeChosen"
    case accountDoneBackchannelUserCodeRefused = "account.done.backchannelUserCodeRefused"
    case accountDoneBackchannelUserCodeRemoved = "account.done.backchannelUserCodeRemoved"
    case oneTimeWrongCounter = "oneTime.wrongCounter"
    case environmentsTitle = "environments.title"
    case environmentsAdd = "environments.add"
    case environmentsChanged = "environments.changed"
    case environmentsRemoved = "environments.removed"
    case environmentsAppAdded = "environments.appAdded"
    case environmentsAppRemoved = "environments.appRemoved"
    case environmentsBadAppName = "environments.badAppName"
    case environmentsBadIdentifier = "environments.badIdentifier"
    case environmentFormChangeTitle = "environmentForm.changeTitle"
    case environmentFormBadIcon = "environmentForm.badIcon"
    case environmentFormBadWebhook = "environmentForm.badWebhook"
    case environmentFormBadPrefixes = "environmentForm.badPrefixes"
    case environmentFormBadPerDay = "environmentForm.badPerDay"
    case environmentSecretAdded = "environmentSecret.added"
    case environmentSecretRenewed = "environmentSecret.renewed"
    case environmentRemovalTitle = "environmentRemoval.title"
    case environmentRemovalCareText = "environmentRemoval.careText"
    case appKeyRemovalTitle = "appKeyRemoval.title"
    case appKeyRemovalCareText = "appKeyRemoval.careText"

    // MARK: domains

    case domainsTitle = "domains.title"
    case domainsAdd = "domains.add"
    case domainsChanged = "domains.changed"
    case domainsRemoved = "domains.removed"
    case domainsAsk = "domains.ask"
    case domainsAskHint = "domains.askHint"
    case domainsAutomatic = "domains.automatic"
    case domainsAutomaticHint = "domains.automaticHint"
    case domainsNever = "domains.never"
    case domainsNeverHint = "domains.neverHint"

    // MARK: domainForm

    case domainFormChangeTitle = "domainForm.changeTitle"
    case domainFormProblem = "domainForm.problem"
    case domainFormBadDomain = "domainForm.badDomain"
    case domainFormTaken = "domainForm.taken"
    case domainFormBadName = "domainForm.badName"
    case domainFormBadSignOn = "domainForm.badSignOn"
    case domainFormBadGroup = "domainForm.badGroup"
    case domainFormTooManyAddresses = "domainForm.tooManyAddresses"
    case domainFormBadAddress = "domainForm.badAddress"
    case domainFormBadLifetime = "domainForm.badLifetime"

    // MARK: address

    case addressTooLong = "address.tooLong"
    case addressBadlySpelled = "address.badlySpelled"
    case addressNoScheme = "address.noScheme"
    case addressBadScheme = "address.badScheme"
    case addressNoHost = "address.noHost"
    case addressBadHost = "address.badHost"
    case addressPlainHTTP = "address.plainHTTP"

    // MARK: domainCredential

    case domainCredentialAdded = "domainCredential.added"
    case domainCredentialRenewed = "domainCredential.renewed"

    // MARK: domainRemoval

    case domainRemovalTitle = "domainRemoval.title"
    case domainRemovalCareText = "domainRemoval.careText"
    case domainRemovalRemove = "domainRemoval.remove"
    case domainRenewalTitle = "domainRenewal.title"
    case domainRenewalCareText = "domainRenewal.careText"
    case domainRenewalRenew = "domainRenewal.renew"

    // MARK: problem

    case problemFromPagesBelow = "problem.fromPagesBelow"
    case problemBackToApp = "problem.backToApp"
    case problemTellAppMaker = "problem.tellAppMaker"
    case problemSignOutOnAccount = "problem.signOutOnAccount"
    case problemLookAtAccount = "problem.lookAtAccount"
    case problemLeadsElsewhere = "problem.leadsElsewhere"
    case problemUnreadable = "problem.unreadable"
    case problemNotFound = "problem.notFound"
    case problemNotFoundHappened = "problem.notFoundHappened"
    case problemNotFoundAdvice = "problem.notFoundAdvice"
    case problemFormExpired = "problem.formExpired"
    case problemFormExpiredHappened = "problem.formExpiredHappened"
    case problemFormExpiredAdvice = "problem.formExpiredAdvice"
    case problemCookiesNeeded = "problem.cookiesNeeded"
    case problemCookiesNeededHappened = "problem.cookiesNeededHappened"
    case problemCookiesNeededAdvice = "problem.cookiesNeededAdvice"
    case problemMethodNotAllowed = "problem.methodNotAllowed"
    case problemMethodNotAllowedHappened = "problem.methodNotAllowedHappened"
    case problemUnknownExpectation = "problem.unknownExpectation"
    case problemUnknownExpectationHappened = "problem.unknownExpectationHappened"
    case problemTooManyAttempts = "problem.tooManyAttempts"
    case problemTooManyAttemptsHappened = "problem.tooManyAttemptsHappened"
    case problemTooManyAttemptsAdvice = "problem.tooManyAttemptsAdvice"
    case problemTooManyGuessesAdvice = "problem.tooManyGuessesAdvice"
    case problemMisdirected = "problem.misdirected"
    case problemMisdirectedHappened = "problem.misdirectedHappened"
    case problemMisdirectedAdvice = "problem.misdirectedAdvice"
    case problemStrayReturnHappened = "problem.strayReturnHappened"
    case problemDetailApp = "problem.detailApp"
    case problemDetailAddress = "problem.detailAddress"
    case problemUnknownApp = "problem.unknownApp"
    case problemUnknownAppHappened = "problem.unknownAppHappened"
    case problemUnregisteredRedirectHappened = "problem.unregisteredRedirectHappened"
    case problemNoRedirect = "problem.noRedirect"
    case problemNoRedirectHappened = "problem.noRedirectHappened"
    case problemUnregisteredSignOutRedirectHappened = "problem.unregisteredSignOutRedirectHappened"
    case problemUnreadableSignOutHappened = "problem.unreadableSignOutHappened"
    case problemBadRequestObject = "problem.badRequestObject"
    case problemBadRequestObjectHappened = "problem.badRequestObjectHappened"
    case problemUnreadableAuthorizationHappened = "problem.unreadableAuthorizationHappened"
    case problemAdministratorsOnly = "problem.administratorsOnly"
    case problemAdministratorsOnlyHappened = "problem.administratorsOnlyHappened"
    case problemAdministratorsOnlyAdvice = "problem.administratorsOnlyAdvice"
    case problemUnavailable = "problem.unavailable"
    case problemUnavailableHappened = "problem.unavailableHappened"
    case problemServerFault = "problem.serverFault"
    case problemServerFaultHappened = "problem.serverFaultHappened"

    // MARK: provider

    case providerUnreachable = "provider.unreachable"
    case providerUnreachableHappened = "provider.unreachableHappened"
    case providerUnreachableAdvice = "provider.unreachableAdvice"
    case providerBusy = "provider.busy"
    case providerBusyHappened = "provider.busyHappened"
    case providerBadAnswer = "provider.badAnswer"
    case providerBadAnswerHappened = "provider.badAnswerHappened"
    case providerBadAnswerAdvice = "provider.badAnswerAdvice"
    case providerRefused = "provider.refused"
    case providerRefusedHappened = "provider.refusedHappened"
    case providerRefusedAdvice = "provider.refusedAdvice"
    case providerNotStarted = "provider.notStarted"
    case providerNotStartedHappened = "provider.notStartedHappened"
    case providerNotStartedAdvice = "provider.notStartedAdvice"
    case providerMixedUp = "provider.mixedUp"
    case providerMixedUpHappened = "provider.mixedUpHappened"
    case providerMixedUpAdvice = "provider.mixedUpAdvice"
    case providerDeclined = "provider.declined"
    case providerDeclinedHappened = "provider.declinedHappened"
    case providerDeclinedAdvice = "provider.declinedAdvice"
    case providerNotFresh = "provider.notFresh"
    case providerNotFreshHappened = "provider.notFreshHappened"
    case providerNotFreshAdvice = "provider.notFreshAdvice"
    case providerFreshnessUnknown = "provider.freshnessUnknown"
    case providerFreshnessUnknownHappened = "provider.freshnessUnknownHappened"
    case providerFreshnessUnknownAdvice = "provider.freshnessUnknownAdvice"
    case providerNotConnected = "provider.notConnected"
    case providerNotConnectedHappened = "provider.notConnectedHappened"
    case providerNotConnectedAdvice = "provider.notConnectedAdvice"
    case providerLocked = "provider.locked"
    case providerLockedHappened = "provider.lockedHappened"
    case providerLockedAdvice = "provider.lockedAdvice"
    case providerAnother = "provider.another"
    case providerAnotherHappened = "provider.anotherHappened"
    case providerAnotherAdvice = "provider.anotherAdvice"

    // MARK: message

    case messageCode = "message.code"
    case messagePassword = "message.password"
    case messageQuestion = "message.question"
    case messageNumberClaimed = "message.numberClaimed"
}

extension TextKey {
    /// The keys of texts that go with a number, without `.one` and `.other`.
    enum Plural: String, Sendable, CaseIterable {
        case seconds = "time.seconds"
        case minutes = "time.minutes"
        case hours = "time.hours"
        case confirmDigits = "confirm.digits"
        case recoveryCodes = "account.codesLeft"
    }
}
