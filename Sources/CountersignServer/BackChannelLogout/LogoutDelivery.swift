internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Logging
internal import ServiceLifecycle

/// Calls clients to tell them of sessions that have ended, while the server runs.
///
/// Each node does it. A notice is claimed by the change that counts the attempt and sets the next one, which is later
/// than this one can last: so one node at a time calls for it, and a node that ends in between loses nothing.
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.5, §2.8.
struct LogoutDelivery: Service {
    let store: any Store
    let tokens: TokenIssuer
    let transport: any HTTPTransport
    let clock: TimeSource
    let logger: Logger

    /// How many clients are called at once.
    private static let batch = 16
    /// How long one call may take.
    static let limit: Duration = .seconds(5)
    /// How long after each attempt the next one follows, in seconds; after the last one the notice is given up.
    static let delays: [TimeInterval] = [30, 120, 600, 3600, 60]
    /// The number of attempts.
    private static let most = delays.count

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await deliver()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("logout notices were not delivered", metadata: ["reason": "\(error)"])
                }
                do { try await clock.sleep(for: .seconds(1)) } catch { return }
            }
        }
    }

    /// Calls each client that is due, some at a time, until there is no more.
    func deliver() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var calling = 0
            while true {
                for notice in try await claim(atMost: Self.batch - calling) {
                    group.addTask { try await deliver(notice) }
                    calling += 1
                }
                guard calling > 0 else { return }
                // The next one begins as soon as any has ended: a slow client delays no others.
                try await group.next()
                calling -= 1
            }
        }
    }

    /// The notices that this node delivers now.
    private func claim(atMost most: Int) async throws -> [LogoutNotice] {
        let now = clock.now()
        // Mostly nothing is due, and then nothing is written.
        guard try await !store.read({ try $0.logoutNotices.due(at: now, limit: 1) }).isEmpty else { return [] }
        return try await store.change { repositories in
            var claimed: [LogoutNotice] = []
            for var notice in try repositories.logoutNotices.due(at: now, limit: most) {
                guard notice.attempts < Self.most else {
                    try repositories.giveUp(notice, because: "the last attempt was cut short", at: now)
                    continue
                }
                notice.due = now + Self.delays[notice.attempts]
                notice.attempts += 1
                try repositories.logoutNotices.update(notice)
                claimed.append(notice)
            }
            return claimed
        }
    }

    private func deliver(_ notice: LogoutNotice) async throws {
        let client = try await store.read { try $0.clients.find(notice.client) }
        guard let client, let address = client.redirects.backChannelLogout?.uri, let endpoint = try? Endpoint(address)
        else {
            // The client was removed, or does not want to be told any more.
            _ = try await store.change { try $0.logoutNotices.remove(notice) }
            return
        }
        let problem = await call(endpoint, try await tokens.logoutToken(for: notice, to: client))
        guard let problem else {
            _ = try await store.change { try $0.logoutNotices.remove(notice) }
            return
        }
        logger.notice(
            "a client was not told of a sign-out",
            metadata: ["client": "\(client.id)", "reason": "\(problem)", "attempt": "\(notice.attempts)"]
        )
        guard notice.attempts >= Self.most else { return }
        let now = clock.now()
        try await store.change { try $0.giveUp(notice, because: problem, at: now) }
    }

    /// Posts the token; returns why that failed, or `nil`.
    private func call(_ endpoint: Endpoint, _ token: String) async -> String? {
        var form = Form()
        form["logout_token"] = token
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        do {
            let answer = try await transport.send(request, body: Array(form.encoded.utf8), within: Self.limit)
            return answer.response.status.kind == .successful ? nil : "status \(answer.response.status.code)"
        } catch {
            return error.code.rawValue
        }
    }
}

extension Repositories {
    /// Removes a notice that could not be delivered, with an entry in the audit.
    fileprivate func giveUp(_ notice: LogoutNotice, because reason: String, at now: Date) throws {
        guard try logoutNotices.remove(notice) else { return }
        try record(
            AuditEntry.Facts(
                at: now,
                .logoutNotDelivered,
                by: .server,
                subject: notice.subject,
                client: notice.client,
                detail: reason
            )
        )
    }
}
