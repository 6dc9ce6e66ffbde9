internal import Logging
internal import ServiceLifecycle
package import FoundationEssentialsCompat

/// Removes expired rows and rotates signing keys, once a minute while the server runs.
struct Maintenance: NamedService {
    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let newDevices: NewDeviceNotices
    let clock: TimeSource
    /// The lifetime of an audit entry, in seconds.
    let auditLifetime: TimeInterval
    let logger: Logger

    /// The maximum number of rows that one change removes, so that other changes do not wait long.
    private static let batch = 200
    /// The time that an exchange is stored after its deadline, in seconds, for late polls.
    private static let afterlife: TimeInterval = 7200
    /// The time that deliveries are listed after their expiry, in seconds.
    private static let deliveriesKept: TimeInterval = 7 * 86_400

    /// The time that links are known as used or expired after their expiry, in seconds.
    private static let linksKept: TimeInterval = 7 * 86_400

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    _ = try await keys.current(signing: .rs256)
                    // Before the sweep, which a damaged row may interrupt.
                    try await rotate()
                    try await sweep()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("maintenance failed", metadata: ["reason": "\(error)"])
                }
                do { try await clock.sleep(for: .seconds(60)) } catch { return }
            }
        }
    }

    /// Removes expired rows in batches, unless the clock differs from that of the database.
    ///
    /// - Throws: The first error, after everything else was swept.
    func sweep() async throws {
        guard try await isClockRight() else { return }
        let now = clock.now()
        let audited = now.addingTimeInterval(-auditLifetime)
        let sweeps: [@Sendable (any Repositories, Int) throws -> Int] = [
            { try $0.exchanges.sweep(before: now.addingTimeInterval(-Self.afterlife), limit: $1) },
            { try $0.browserSessions.sweep(before: now, limit: $1) },
            { try $0.browserPushes.sweep(before: now, limit: $1) },
            { try $0.accessTokens.sweep(before: now, limit: $1) },
            { try $0.repeatableAnswers.sweep(before: now, limit: $1) },
            { try $0.signIns.sweep(before: now, limit: $1) },
            { try $0.clients.sweep(before: now, limit: $1) },
            { repositories, _ in try Self.removeReplacedSecrets(at: now, in: repositories) },
            { try $0.counts.sweep(before: now, limit: $1) },
            { try $0.decisionNonces.sweep(before: now, limit: $1) },
            { try $0.initialAccessTokens.sweep(before: now, limit: $1) },
            { try $0.pushedRequests.sweep(before: now, limit: $1) },
            { try $0.providerVisits.sweep(before: now, limit: $1) },
            { try $0.passkeys.sweep(before: now, limit: $1) },
            { [newDevices] in try PhoneNumbers($0).completeMoves(telling: newDevices, at: now, limit: $1) },
            { repositories, _ in try Self.bringForward(to: now, in: repositories) },
            { try $0.deliveries.sweep(before: now.addingTimeInterval(-Self.deliveriesKept), limit: $1) },
            { try $0.phoneRegistrations.sweep(before: now.addingTimeInterval(-Self.deliveriesKept), limit: $1) },
            { try $0.enrollmentTickets.sweep(before: now.addingTimeInterval(-Self.afterlife), limit: $1) },
            // Nothing verifies older ID tokens, so no screen can name its person by them.
            { try $0.rememberedScreens.sweep(before: now.addingTimeInterval(-KeyRotation.hints), limit: $1) },
            { try $0.personCodes.sweep(before: now, limit: $1) },
            { try $0.actionLinks.sweep(before: now.addingTimeInterval(-Self.linksKept), limit: $1) },
            { try $0.devices.sweep(before: now.addingTimeInterval(-EnrolledDevice.longestSilence), limit: $1) },
            {
                let end = now.addingTimeInterval(-EnrolledDevice.longestSilenceOfNobody)
                return try $0.devices.sweepOfNobody(before: end, limit: $1)
            },
            { try $0.devices.sweepQuietTimes(before: now, limit: $1) },
            { try $0.signedDecisions.sweep(before: audited, limit: $1) },
            { try Audit($0).sweep(before: audited, at: now, limit: $1) },
        ]
        var failure: (any Error)?
        for sweep in sweeps {
            do {
                while try await store.change({ try sweep($0, Self.batch) }) == Self.batch {}
            } catch let error as CancellationError {
                throw error
            } catch {
                // A damaged row of one table does not prevent the other sweeps.
                failure = failure ?? error
            }
        }
        try await removeAccounts(at: now)
        if let failure { throw failure }
    }

    /// Removes the accounts that are due, each in one change: an account that cannot be removed, because a row of it is
    /// damaged, keeps no other one.
    private func removeAccounts(at now: Date) async throws {
        var isDone = false
        while !isDone {
            let due = try await store.read { try $0.people.leaving(by: now, limit: Self.batch) }
            var removed = 0
            for subject in due {
                do {
                    if try await store.change({ try AccountRemoval($0).removeDue(subject, at: now) }) { removed += 1 }
                } catch let error where error is CancellationError || error is StoreUnavailableError {
                    throw error
                } catch {
                    logger.error(
                        "an account that is due was not removed",
                        metadata: ["subject": "\(subject.rawValue)", "reason": "\(error)"])
                }
            }
            isDone = due.count < Self.batch || removed == 0
        }
    }

    private func isClockRight() async throws -> Bool {
        let before = clock.now()
        guard let there = try await store.databaseDate() else { return true }
        let after = clock.now()
        let early = before.addingTimeInterval(-DatabaseClock.tolerance)
        let late = after.addingTimeInterval(DatabaseClock.tolerance)
        guard there < early || there > late else { return true }
        logger.warning(
            "nothing is removed, because this machine's clock differs from the database's; set both right",
            metadata: ["here": "\(after.formatted(.iso8601))", "database": "\(there.formatted(.iso8601))"])
        return false
    }

    /// Adds, activates, retires and removes signing keys when they are due.
    func rotate() async throws {
        let now = clock.now()
        let stored = try await store.read { try $0.serverKeys.all() }
        for algorithm in SigningKey.Algorithm.allCases {
            let purpose = algorithm.purpose
            let due = KeyRotation.due(for: stored.filter { $0.purpose == purpose }, at: now)
            guard due != KeyRotation.Step() else { continue }
            let successor = try due.successorActivates.map { activates in
                try ServerKey.generate(purpose, by: mint, created: now, activates: activates)
            }
            try await store.change { repositories in
                // Another process may have done it meanwhile.
                let again = try repositories.serverKeys.all().filter { $0.purpose == purpose }
                guard KeyRotation.due(for: again, at: now) == due else { return }
                try repositories.serverKeys.apply(due, successor: successor, at: now)
                for (act, key) in due.acts(successor: successor) {
                    try Audit(repositories).record(AuditEntry.Facts(at: now, act, by: .server, detail: key.rawValue))
                }
            }
            keys.forget()
        }
        let forgotten = stored.filter { $0.isForgotten(at: now) }
        guard !forgotten.isEmpty else { return }
        try await store.change { repositories in
            for key in forgotten { try repositories.serverKeys.remove(key.id) }
        }
    }

    /// Corrects the due times after the clock was set back; returns 0, since it needs no further batch.
    private static func bringForward(to now: Date, in repositories: any Repositories) throws -> Int {
        for lane in DeliveryLane.allCases {
            try repositories.deliveries.bringForward(in: lane, to: now, waitingLongerThan: DeliveryTimes.longestDelay)
        }
        try repositories.clientNotices.bringForward(to: now, waitingLongerThan: NoticeDelivery.longestDelay)
        return 0
    }

    /// Removes the expired replaced secrets of clients and sites; returns 0, since it needs no further batch.
    private static func removeReplacedSecrets(at now: Date, in repositories: any Repositories) throws -> Int {
        for var client in try repositories.clients.all() {
            guard case .confidential(let secret, let replaced?) = client.kind, replaced.ends <= now else { continue }
            client.kind = .confidential(secret)
            try repositories.clients.update(client)
        }
        for var environment in try repositories.environments.all() {
            guard let replaced = environment.replaced, replaced.ends <= now else { continue }
            environment.replaced = nil
            try repositories.environments.update(environment)
        }
        return 0
    }
}

extension KeyRotation.Step {
    /// The audit entries of this step, with their keys.
    fileprivate func acts(successor: ServerKey?) -> [(AuditAct, JSONWebKey.ID)] {
        (successor.map { [(.keyAdded, $0.id)] } ?? []) + retiring.map { (.keyRetired, $0.id) }
            + removing.map { (.keyRemoved, $0.id) }
    }
}

extension ServerKeyRepository {
    /// Applies a step of a rotation.
    package func apply(_ step: KeyRotation.Step, successor: ServerKey?, at now: Date) throws {
        if let successor { try insert(successor) }
        for var key in step.retiring {
            key.retired = now
            try update(key)
        }
        for var key in step.misdated {
            key.activates = key.activates.notAhead(of: now)
            key.retired = key.retired?.notAhead(of: now)
            try update(key)
        }
        for key in step.removing {
            try remove(key.id)
            if let left = key.leftForHints { try insert(left) }
        }
    }
}
