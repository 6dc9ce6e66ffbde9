import Countersign
import CountersignSQLite
import CountersignServer
import CountersignWire
import Foundation
import GRDB
import NIOConcurrencyHelpers
import Testing

@Suite("Every statement of the SQLite store")
struct QueryPlanTests {
    private let directory = TemporaryDirectory()

    @Test func `finds its rows by an index`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let statements = NIOLockedValueBox<[String]>([])
        try await store.pool.writeWithoutTransaction { writer in
            writer.trace { event in
                if case .statement(let statement) = event { statements.withLockedValue { $0.append(statement.sql) } }
            }
        }
        try await store.change(useEveryMethod)
        try await store.pool.writeWithoutTransaction { $0.trace(options: []) }

        let used = Set(statements.withLockedValue { $0 }).filter {
            !$0.contains("SAVEPOINT") && !$0.contains("TRANSACTION")
        }
        #expect(used.count >= 36)
        for sql in used where sql.contains("WHERE") {
            let plan = try await store.pool.read { reader in
                let explanation = try reader.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                // The plan does not depend on the values.
                explanation.setUncheckedArguments([])
                return try Row.fetchAll(explanation)
                    .map { $0["detail"] as String }
            }
            for step in plan where step != "SCAN attempts" {
                #expect(!step.hasPrefix("SCAN") && !step.contains("TEMP B-TREE"), "\(step) in \(sql)")
            }
        }
        try await store.close()
    }
}

@Sendable private func useEveryMethod(_ repositories: any Repositories) throws {
    let digest = SecretDigest(of: "any")
    let (exchanges, clients, people) = try (repositories.exchanges, repositories.clients, repositories.people)
    _ = try exchanges.find(digest)
    _ = try exchanges.find(UserCodeDigest(restoring: digest.bytes))
    _ = try exchanges.find(SignInRequest.ID("any"))
    _ = try exchanges.approved(by: Subject("any"), at: noon)
    _ = try exchanges.waiting(for: Subject("any"), at: noon)
    _ = try exchanges.sweep(before: noon, limit: 1)
    _ = try clients.find(ClientID("any"))
    _ = try clients.remove(ClientID("any"))
    _ = try clients.sweep(before: noon, limit: 1)
    _ = try repositories.domains.find(Domain("any"))
    _ = try repositories.domains.find(digest)
    _ = try repositories.domains.remove(Domain("any"))
    _ = try people.find(Username(rawValue: "any"))
    _ = try people.find(Subject("any"))
    _ = try people.remove(Subject("any"))
    _ = try repositories.browserSessions.find(digest)
    try repositories.browserSessions.remove(digest)
    try repositories.browserSessions.removeAll(of: Subject("any"))
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
    _ = try repositories.nearbyLooks.find(digest)
    try repositories.nearbyLooks.removeAll(of: SignInRequest.ID("any"))
    _ = try repositories.nearbyLooks.sweep(before: noon, limit: 1)
    _ = try repositories.nearbyDecisions.find(SignInRequest.ID("any"))
    _ = try repositories.nearbyDecisions.sweep(before: noon, limit: 1)
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
    _ = try repositories.deliveries.page(of: EnvironmentID(rawValue: "any"), before: nil, limit: 1)
    _ = try repositories.deliveries.page(of: EnvironmentID(rawValue: "any"), before: delivery, limit: 1)
    _ = try repositories.deliveries.newDevices(limit: 1)
    _ = try repositories.deliveries.all(about: request)
    try repositories.deliveries.withdraw(about: request, at: noon)
    _ = try repositories.deliveries.sweep(before: noon, limit: 1)
    let number = try PhoneNumber("+31612345678")
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

@Sendable private func useDevices(_ repositories: any Repositories, _ digest: SecretDigest) throws {
    let (id, environment) = (DeviceRegistration.ID("any"), EnvironmentID("any"))
    let devices = try repositories.devices
    _ = try devices.find(id)
    _ = try devices.find(Grant.ID("any"))
    _ = try devices.all(of: Subject("any"))
    _ = try devices.all(with: PhoneNumber("+31612345678"))
    _ = try devices.all(with: PushToken(revealing: "any"))
    try devices.forgetPushAddress(of: PushToken(revealing: "any"), at: noon)
    _ = try devices.remove(id)
    _ = try devices.removeAll(of: Subject("any"))
    _ = try devices.sweep(before: noon, limit: 1)
    try devices.enroll(DeviceEnvironment(device: id, environment: environment, added: noon))
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
}
