package import CountersignServer

internal import Countersign
internal import CountersignWire
internal import Foundation

private let noon = Date(timeIntervalSinceReferenceDate: 821_620_800)

/// Calls every method that looks up, changes or removes rows by a condition, so that the engine runs its statement.
@Sendable package func callEveryMethod(of repositories: any Repositories) throws {
    let digest = SecretDigest(of: "any")
    let (exchanges, clients, people) = try (repositories.exchanges, repositories.clients, repositories.people)
    try exchanges.update(approved())
    _ = try exchanges.find(digest)
    _ = try exchanges.find(UserCodeDigest(restoring: digest.bytes))
    _ = try exchanges.find(SignInRequest.ID("any"))
    _ = try exchanges.approved(by: Subject("any"), at: noon, after: nil)
    _ = try exchanges.approved(by: Subject("any"), at: noon, after: SignInRequest.ID("any"))
    _ = try exchanges.waiting(for: Subject("any"), at: noon)
    _ = try exchanges.cancelled(for: Subject("any"), at: noon)
    _ = try exchanges.sweep(before: noon, limit: 1)
    _ = try clients.find(ClientID("any"))
    _ = try clients.all()
    _ = try clients.page(after: nil, limit: 1)
    _ = try clients.remove(ClientID("any"))
    _ = try clients.sweep(before: noon, limit: 1)
    _ = try repositories.domains.find(Domain("any"))
    _ = try repositories.domains.page(after: nil, limit: 1)
    _ = try repositories.domains.find(digest)
    _ = try repositories.domains.remove(Domain("any"))
    _ = try people.find(Username(rawValue: "any"))
    _ = try people.find(Subject("any"))
    for field in PersonSearchField.allCases {
        _ = try people.page(by: field, beginningWith: "any", after: nil, limit: 1)
        _ = try people.page(by: field, beginningWith: "é", after: nil, limit: 1)
    }
    _ = try people.leaving(by: noon, limit: 1)
    _ = try people.remove(Subject("any"))
    _ = try repositories.browserSessions.find(digest)
    _ = try repositories.browserSessions.opened(for: Subject("any"))
    _ = try repositories.browserSessions.all(of: Subject("any"))
    let session = BrowserSession(
        cookie: digest, id: ApproverID("any"), subject: Subject("any"), authenticated: noon, expires: noon,
        lastUsed: noon)
    _ = try repositories.browserSessions.live(at: noon, after: nil, limit: 1)
    _ = try repositories.browserSessions.live(at: noon, after: session.position, limit: 1)
    try repositories.browserSessions.update(session)
    try repositories.browserSessions.remove(digest)
    try repositories.browserSessions.removeAll(of: Subject("any"))
    _ = try repositories.browserPushes.find(ApproverID("any"))
    _ = try repositories.browserPushes.all(of: Subject("any"))
    _ = try repositories.browserPushes.remove(ApproverID("any"))
    try repositories.browserPushes.removeAll(of: Subject("any"))
    _ = try repositories.browserPushes.sweep(before: noon, limit: 1)
    _ = try repositories.servedSettings.all()
    _ = try repositories.groups.find(GroupName("any"))
    _ = try repositories.groups.all()
    _ = try repositories.groups.hierarchy()
    _ = try repositories.groups.remove(GroupName("any"))
    try repositories.groups.add(Subject("any"), to: GroupName("any"))
    _ = try repositories.groups.remove(Subject("any"), from: GroupName("any"))
    _ = try repositories.groups.all(of: Subject("any"))
    _ = try repositories.groups.members(of: GroupName("any"), after: nil, limit: 1)
    try repositories.groups.removeAll(of: Subject("any"))
    _ = try repositories.claimMappings.all()
    _ = try repositories.claimMappings.remove(ClaimName("any"))
    _ = try repositories.mutes.find(Subject("any"), ClientID("any"))
    _ = try repositories.mutes.all(of: Subject("any"))
    _ = try repositories.mutes.all()
    _ = try repositories.mutes.remove(Subject("any"), ClientID("any"))
    try repositories.mutes.removeAll(of: Subject("any"))
    _ = try repositories.rememberedScreens.find(RememberedScreenID("any"))
    _ = try repositories.rememberedScreens.all(of: Subject("any"))
    _ = try repositories.rememberedScreens.all(of: Subject("any"), at: ClientID("any"))
    try repositories.rememberedScreens.remove(RememberedScreenID("any"))
    _ = try repositories.rememberedScreens.sweep(before: noon, limit: 1)
    try useDeliveries(repositories)
    _ = try repositories.passkeys.find(CredentialID(rawValue: "any"))
    _ = try repositories.passkeys.all(of: Subject("any"))
    _ = try repositories.passkeys.remove(CredentialID(rawValue: "any"), of: Subject("any"))
    _ = try repositories.passkeys.removeAll(of: Subject("any"))
    _ = try repositories.passkeys.sweep(before: noon, limit: 1)
    _ = try repositories.oneTimePasswords.find(Subject("any"))
    _ = try repositories.oneTimePasswords.remove(Subject("any"))
    _ = try repositories.recoveryCodes.find(Subject("any"))
    _ = try repositories.recoveryCodes.remove(Subject("any"))
    try useDevices(repositories, digest)
    _ = try repositories.browserSessions.sweep(before: noon, limit: 1)
    _ = try repositories.signIns.find(Grant.ID("any"))
    _ = try repositories.signIns.all(of: Subject("any"))
    _ = try repositories.signIns.all(of: Subject("any"), after: Grant.ID("any"))
    _ = try repositories.signIns.all(of: ApproverID("any"))
    _ = try repositories.signIns.all(of: ApproverID("any"), after: Grant.ID("any"))
    _ = try repositories.signIns.all(of: ClientID("any"), limit: 1)
    _ = try repositories.signIns.find(ClientID("any"), Domain("any"))
    _ = try repositories.signIns.all(of: Domain("any"), limit: 1)
    _ = try repositories.signIns.sweep(before: noon, limit: 1)
    _ = try repositories.accessTokens.find(digest)
    try repositories.accessTokens.remove(digest)
    try repositories.accessTokens.removeAll(of: Grant.ID("any"))
    _ = try repositories.accessTokens.removeAll(of: ClientID("any"), limit: 1)
    try repositories.accessTokens.removeAll(of: ClientID("any"), for: "any")
    _ = try repositories.accessTokens.sweep(before: noon, limit: 1)
    _ = try repositories.refreshTokens.find(digest)
    try repositories.refreshTokens.removeAll(of: Grant.ID("any"))
    _ = try repositories.repeatableAnswers.find(Grant.ID("any"))
    try repositories.repeatableAnswers.remove(Grant.ID("any"))
    _ = try repositories.repeatableAnswers.sweep(before: noon, limit: 1)
    try repositories.serverKeys.remove(JSONWebKey.ID("any"))
    _ = try repositories.decisionNonces.find(digest)
    try repositories.decisionNonces.removeAll(of: SignInRequest.ID("any"))
    _ = try repositories.decisionNonces.sweep(before: noon, limit: 1)
    _ = try repositories.signedDecisions.find(SignInRequest.ID("any"))
    _ = try repositories.signedDecisions.sweep(before: noon, limit: 1)
    _ = try repositories.counts.find(RateCounterKey(CounterName(rawValue: "any"), of: "any"))
    _ = try repositories.counts.remove(RateCounterKey(CounterName(rawValue: "any"), of: "any"))
    _ = try repositories.counts.sweep(before: noon, limit: 1)
    _ = try repositories.audit.head()
    _ = try repositories.audit.entries(after: 0, limit: 1)
    _ = try repositories.audit.entries(before: 1, limit: 1)
    _ = try repositories.audit.entries(about: Subject("any"), before: 1, limit: 1)
    _ = try repositories.audit.sweep(before: noon, limit: 1)
}

private func useDeliveries(_ repositories: any Repositories) throws {
    let request = SignInRequest.ID("any")
    let delivery = Delivery(
        id: Delivery.ID("any"),
        .push(PushPayload(.instant), to: PushAddress(.apple, token: "any")),
        made: noon,
        expires: noon
    )
    _ = try repositories.deliveries.find(delivery.id)
    _ = try repositories.deliveries.due(in: .calls, at: noon, limit: 1)
    _ = try repositories.deliveries.due(in: .calls, at: noon, exceptTo: [.gateway, .operator], limit: 1)
    _ = try repositories.clientNotices.due(at: noon, limit: 1)
    _ = try repositories.clientNotices.due(at: noon, exceptTo: [ClientID("any")], limit: 1)
    try repositories.deliveries.update(delivery)
    try repositories.deliveries.bringForward(in: .calls, to: noon, waitingLongerThan: 60)
    try repositories.clientNotices.bringForward(to: noon, waitingLongerThan: 60)
    _ = try repositories.deliveries.page(of: CustomerSiteID(rawValue: "any"), before: nil, limit: 1)
    _ = try repositories.deliveries.page(of: CustomerSiteID(rawValue: "any"), before: delivery, limit: 1)
    _ = try repositories.deliveries.newDevices(limit: 1)
    _ = try repositories.deliveries.failing(before: noon, limit: 1)
    _ = try repositories.deliveries.all(about: request)
    try repositories.deliveries.withdraw(about: request, at: noon)
    _ = try repositories.deliveries.sweep(before: noon, limit: 1)
    let number = try PhoneNumber("+31612345678")
    try repositories.deliveries.removeAll(to: [.number(number), .person(Subject("any"))])
    _ = try repositories.environments.page(after: nil, limit: 1)
    _ = try repositories.authenticatorApps.page(after: nil, limit: 1)
    _ = try repositories.identityProviders.page(after: nil, limit: 1)
    _ = try repositories.phoneNumbers.find(number)
    _ = try repositories.phoneNumbers.all(of: Subject("any"))
    _ = try repositories.phoneNumbers.moving(at: noon, limit: 1)
    try repositories.phoneNumbers.remove(number)
    try repositories.phoneNumbers.removeAll(of: Subject("any"))
    _ = try repositories.phoneRegistrations.find(DeviceRegistration.ID("any"))
    try repositories.phoneRegistrations.remove(DeviceRegistration.ID("any"))
    try repositories.phoneRegistrations.removeAll(of: number)
    _ = try repositories.phoneRegistrations.sweep(before: noon, limit: 1)
}

private func useDevices(_ repositories: any Repositories, _ digest: SecretDigest) throws {
    let (id, environment) = (DeviceRegistration.ID("any"), CustomerSiteID("any"))
    let devices = try repositories.devices
    _ = try devices.find(id)
    _ = try devices.find(Grant.ID("any"))
    _ = try devices.all(of: Subject("any"))
    _ = try devices.all()
    _ = try devices.all(with: PhoneNumber("+31612345678"))
    _ = try devices.all(with: PushToken(revealing: "any"))
    _ = try devices.verified(with: PhoneNumber("+31612345678"))
    try devices.removePushToken(PushToken(revealing: "any"), exceptOf: id)
    try devices.forgetPushAddress(of: PushToken(revealing: "any"), at: noon)
    _ = try devices.remove(id)
    _ = try devices.removeAll(of: Subject("any"))
    _ = try devices.sweep(before: noon, limit: 1)
    _ = try devices.sweepOfNobody(before: noon, limit: 1)
    try devices.enroll(DeviceCustomerSite(device: id, environment: environment, added: noon))
    _ = try devices.enrollment(of: id, in: environment)
    _ = try devices.enrollments(of: id)
    _ = try devices.unenroll(id, from: environment)
    _ = try devices.removeEnrollments(in: environment)
    try devices.keepQuiet(Subject("any"), until: noon)
    _ = try devices.quiet(of: Subject("any"))
    _ = try devices.sweepQuietTimes(before: noon, limit: 1)
    _ = try repositories.enrollmentTickets.find(digest)
    _ = try repositories.enrollmentTickets.removeAll(of: Subject("any"))
    _ = try repositories.enrollmentTickets.sweep(before: noon, limit: 1)
    let codes = try repositories.personCodes
    let holder = ApproverIdentity(subject: Subject("any"), id: ApproverID("any"))
    let code = PersonCodeRecord(digest: digest, holder: holder, sealed: [], expires: noon)
    try codes.insert(code)
    _ = try codes.find(digest)
    _ = try codes.find(of: holder.subject)
    try codes.update(code)
    try codes.remove(shownBy: holder)
    try codes.removeAll(of: holder.subject)
    _ = try codes.sweep(before: noon, limit: 1)
}

private func approved() -> SignInExchangeRecord {
    let anna = ApproverIdentity(subject: Subject("any"), id: ApproverID("any"))
    let client = ClientID("any")
    let request = SignInRequest(
        id: SignInRequest.ID("any"),
        client: .asserted(client),
        scope: .verified(.none),
        asked: .observed(noon),
        deadline: noon + 600
    )
    let grant = Grant(
        id: Grant.ID("any"),
        subject: anna.subject,
        client: client,
        scope: .none,
        evidence: Evidence(),
        approved: noon
    )
    return SignInExchangeRecord(
        exchange: SignInExchange(restoring: request, in: .approved(grant, by: anna)),
        requestCode: SecretDigest(of: "device"),
        method: .deviceCode(UserCodeDigest(restoring: SecretDigest(of: "user").bytes)),
        interval: 5
    )
}
