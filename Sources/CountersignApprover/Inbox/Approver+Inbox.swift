public import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

extension Approver {
    /// The requests that wait now, as ``ApproverEvent/waiting(_:)`` tells them.
    ///
    /// - Returns: The requests; none is no error.
    /// - Throws: ``ApprovalError`` by network and server.
    public func waitingRequests() async throws(ApprovalError) -> [WaitingRequest] {
        var contents = inbox
        contents.reset()
        guard hasList else { return contents.waiting }
        switch await InboxPoll(client: client, tag: nil, hold: InboxPoll.longestHold).ask() {
        case .listed(let list, _):
            for entry in contents.take(list).arrived {
                do throws(ApprovalError) {
                    contents.describe(try await request(entry.exchange))
                } catch {
                    // It was answered in between.
                    guard error.endsRequest else { throw error }
                }
            }
        case .unchanged, .deadline: break
        case .failed(let error): throw error
        }
        return contents.waiting
    }

    /// Asks the server what a request in the inbox is about.
    ///
    /// This changes nothing at the server. So an unreachable server is retried, for as long as
    /// ``ApprovalOptions/lookTimeLimit``.
    ///
    /// - Parameter id: The request, as a push message or a list names it.
    /// - Returns: The request to show to the person.
    /// - Throws: ``ApprovalError``: `nothingToDecide` when it is answered or over; `expired` when it has expired by
    ///   then; others by network and server.
    public nonisolated func request(_ id: SignInRequest.ID) async throws(ApprovalError) -> WaitingRequest {
        let (look, digest) = try await client.shown(.inbox(id), as: InboxLook.self)
        guard look.exchange == id else {
            throw ApprovalError(.badAnswer, because: "another request than the one that was asked about")
        }
        let verifiesUser = look.approval?.isVerificationEnough == true ? await client.verifiesUser : false
        let request = WaitingRequest(look, verifying: verifiesUser, at: account, digest)
        guard request.deadline > (await client.date) else {
            throw ApprovalError(.expired, because: "its time is over")
        }
        return request
    }

    /// Looks at a listed request, and retries while the server is unreachable and the request is pending.
    private nonisolated func request(_ entry: AuthenticatorInbox.Entry) async throws(ApprovalError) -> WaitingRequest {
        var failures = 0
        while true {
            do throws(ApprovalError) {
                return try await client.untilExpired(entry.deadline) { () async throws(ApprovalError) in
                    try await request(entry.exchange)
                }
            } catch {
                guard [.unreachable, .busy].contains(error.code) else { throw error }
                failures += 1
                let end = await client.instant(of: entry.deadline)
                let clock = client.clock
                let next = clock.instant() + InboxPause.after(failures, asked: error.retryAfter)
                guard next < end else { throw error }
                guard (try? await clock.sleep(until: next)) != nil else {
                    throw ApprovalError(.cancelled, because: "the task was cancelled")
                }
            }
        }
    }

    // MARK: Following

    /// The pause before asking a server again that did not hold the last request open.
    private static let shortestRound = Duration.seconds(5)

    /// Follows the inbox at the server until the task is cancelled, or the inbox cannot be read any more.
    func follow() async {
        guard case .device(_, let store) = kind else { return }
        var tag: String?
        var failures = 0
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let began = client.clock.instant()
                let poll = InboxPoll(client: client, tag: tag, hold: approvals.hold(at: began))
                let outcome = await poll.outcome(until: inbox.nextDeadline)
                var isUnchanged = false
                guard !Task.isCancelled else { break }
                switch outcome {
                case .listed(let list, let newTag):
                    let difference = inbox.take(list)
                    isUnchanged = newTag == tag && difference.isEmpty
                    (tag, failures) = (newTag, 0)
                    // Concurrently: a request that cannot be loaded now must not delay the others.
                    for entry in difference.arrived { group.addTask { await self.describe(entry) } }
                    // A request whose side waits here ends when that hears of it.
                    for request in difference.expired where !held.has(request.id) { tell(.expired(request)) }
                    for request in difference.cancelled where !held.has(request.id) { tell(.cancelled(request)) }
                    tellChange()
                    for request in difference.gone {
                        group.addTask { await self.tellEnd(of: request) { .withdrawn($0) } }
                    }
                case .unchanged: (isUnchanged, failures) = (true, 0)
                case .deadline: break
                case .failed(let error):
                    guard error.isTemporary else {
                        if error.code != .cancelled { end(because: error) }
                        group.cancelAll()
                        return
                    }
                    failures += 1
                }
                await expire()
                if case .failed(let error) = outcome {
                    let pause = InboxPause.after(failures, asked: error.retryAfter)
                    tell(.temporaryFailure(error, retryingIn: pause))
                    await rest(pause)
                } else {
                    await askForNews(keepingStateIn: store)
                    // A server that holds nothing open, or gives no tag for it, is not asked all the time.
                    let isShort = client.clock.instant() - began < .seconds(1)
                    if tag == nil || isUnchanged, isShort { await rest(Self.shortestRound) }
                }
                await expire()
            }
            group.cancelAll()
        }
    }

    /// Ends all readers.
    private func end(because error: ApprovalError) {
        readers.finish(throwing: error)
        stop()
    }

    /// Waits, but not beyond the end of a request: it must not be shown as open while no server is reached.
    private func rest(_ pause: Duration) async {
        let clock = client.clock
        var end = clock.instant() + pause
        if let deadline = inbox.nextDeadline { end = Swift.min(end, await client.instant(of: deadline)) }
        try? await clock.sleep(until: end)
    }

    private func expire() async {
        for request in inbox.expire(at: await client.date) where !held.has(request.id) { tell(.expired(request)) }
        tellChange()
    }

    /// Looks at a request that arrived, and tells it.
    private func describe(_ entry: AuthenticatorInbox.Entry) async {
        do throws(ApprovalError) {
            inbox.describe(try await request(entry))
        } catch {
            guard error.code != .cancelled else { return }
            if inbox.fail(entry.exchange), !error.endsRequest { tell(.failed(entry.exchange, error)) }
        }
        tellChange()
    }
}
