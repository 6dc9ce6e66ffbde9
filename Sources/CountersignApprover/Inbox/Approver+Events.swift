internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Approver: AsyncSequence {
    /// The events of an approver.
    public typealias Element = ApproverEvent

    /// Begins to read events, for as long as they are read; several readers get the same.
    ///
    /// The inbox of an enrolled device is polled by long requests, so that a request arrives as soon as it is made, and
    /// an idle network is used about twice a minute.
    ///
    /// - Returns: An iterator that begins with what waits now.
    public nonisolated func makeAsyncIterator() -> AsyncIterator { AsyncIterator(of: self) }

    /// Reads the events one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let approver: Approver
        private var events: InboxReaders.Events.AsyncIterator?

        fileprivate init(of approver: Approver) { self.approver = approver }

        /// Waits for the next event.
        ///
        /// - Returns: The event; `nil` when the task is cancelled.
        /// - Throws: ``ApprovalError`` when the inbox cannot be read any more, as when the device was signed out.
        public mutating func next() async throws -> ApproverEvent? {
            if events == nil { events = await approver.join().makeAsyncIterator() }
            return try await events?.next()
        }
    }

    /// Adds a reader, and follows the inbox for the first one.
    private func join() -> InboxReaders.Events {
        let (events, reader) = InboxReaders.Events.makeStream()
        let number = readers.join(reader)
        reader.onTermination = { [weak self] _ in
            Task { await self?.leave(number) }
        }
        if let waiting = inbox.change(hasList: hasList) ?? inbox.lastTold { reader.yield(.waiting(waiting)) }
        if following == nil { following = Task { await follow() } }
        return events
    }

    private func leave(_ number: Int) {
        readers.leave(number)
        if readers.isEmpty { stop() }
    }

    /// Follows nothing any more.
    func stop() {
        following?.cancel()
        following = nil
        inbox.reset()
    }

    /// Whether it has a list at the server.
    var hasList: Bool {
        switch kind {
        case .app: false
        case .device: true
        }
    }

    // MARK: Telling

    func tell(_ event: ApproverEvent) { readers.tell(event) }

    /// Tells the requests that wait, if they have changed.
    func tellChange() {
        guard !readers.isEmpty, let waiting = inbox.change(hasList: hasList) else { return }
        tell(.waiting(waiting))
    }

    /// Tells the end of a request that was not answered here: the place of the person's answer, or the event of one that
    /// nobody answered.
    func tellEnd(of request: WaitingRequest, unanswered event: (WaitingRequest) -> ApproverEvent) async {
        guard !answers.noteLack(of: request.id) else { return }
        let place = await placeOfAnswer(to: request.id)
        // The person may have answered here meanwhile.
        guard !answers.noteLack(of: request.id) else { return }
        guard let place else {
            guard held.has(request.id) else { return tell(event(request)) }
            // Over its link it waits still, but without the list the person has to type the digits there.
            if inbox.lacksDigits(request.id) {
                held.settle(request.id, .failed(ApprovalError(.digitsNeeded, because: "the list has it no more")))
            }
            return
        }
        approvals.add(request.id, at: client.clock.instant())
        guard held.has(request.id) else { return tell(.answered(request, at: place)) }
        held.settle(
            request.id, .failed(ApprovalError(.nothingToDecide, because: "answered elsewhere", answered: place)))
    }

    /// The place where the person answered a request that does not wait any more; `nil` when they did not answer it,
    /// and when the server is not reached.
    private func placeOfAnswer(to request: SignInRequest.ID) async -> AnswerPlace? {
        do throws(ApprovalError) {
            _ = try await client.look(at: .inbox(request), as: InboxLook.self)
            return nil
        } catch {
            return error.answered
        }
    }
}
