internal import NIOConcurrencyHelpers

/// The requester's side of nearby sign-in: finds approvers, asks the one that the person picks, and returns its grant.
///
/// ```swift
/// let requester = NearbyRequester(settings, discovery: discovery)
/// let result = await requester.signIn(NearbySignInOptions(.bytes(purpose: purpose)), on: screen)
/// ```
///
/// It must not be the only way to sign in: offer a code as well, and cancel the task when the code was quicker.
/// Cancelling ends the search and all conversations.
public final class NearbyRequester: Sendable {
    private let settings: NearbySettings
    /// Finds approvers.
    private let discovery: (any Discovery)?
    /// The inputs of the current attempt.
    private let current = NIOLockedValueBox<AsyncStream<SignInInput>.Continuation?>(nil)

    /// A requester; nothing is sent before ``signIn(_:on:)``.
    ///
    /// - Parameters:
    ///   - settings: The app's settings for this device, with the store of its pairings with approvers.
    ///   - discovery: Finds approvers; `nil` if all addresses are given to ``signIn(_:at:on:)``.
    public init(_ settings: NearbySettings, discovery: (any Discovery)?) {
        self.settings = settings
        self.discovery = discovery
    }

    /// Looks for approvers and asks them, until there is a result. One attempt at a time.
    ///
    /// Paired approvers are asked as soon as they are found. Of the others, the person picks one with
    /// ``choose(_:)``; a single one is picked after a second. An approver that disappeared is asked again when it is
    /// back, and one that is busy after some seconds.
    ///
    /// - Parameters:
    ///   - options: The request, and the options of this attempt.
    ///   - screen: The app's screen, which is notified of every event.
    /// - Returns: The result; ``NearbyResult/stopped`` when the task was cancelled.
    public func signIn(_ options: NearbySignInOptions, on screen: any NearbyRequesterDelegate) async -> NearbyResult {
        await attempt(options, at: nil, on: screen)
    }

    /// Asks the approver at an address that the person entered; repeatedly while it is busy.
    ///
    /// - Parameters:
    ///   - options: The request, and the options of this attempt.
    ///   - endpoint: The approver's host and port; no other approver is looked for.
    ///   - screen: The app's screen.
    /// - Returns: The result; ``NearbyResult/failed(_:)`` when the approver cannot be asked.
    public func signIn(
        _ options: NearbySignInOptions,
        at endpoint: NearbyEndpoint,
        on screen: any NearbyRequesterDelegate
    ) async -> NearbyResult { await attempt(options, at: endpoint, on: screen) }

    /// The person has picked an approver: it is asked, and conversations with others end.
    ///
    /// - Parameter approver: The ``NearbyApprover/id`` of one that was shown; others are ignored.
    public func choose(_ approver: NearbyApprover.ID) { tell(.choose(approver)) }

    /// The person wants another code after a miss; without one, nothing happens.
    public func tryAgain() { tell(.tryAgain) }

    /// The person dismisses the code that is shown: it is removed, and counts as a miss.
    public func goBack() { tell(.goBack) }

    /// Passes an input to the current attempt; without one, nothing happens.
    private func tell(_ input: SignInInput) { current.withLockedValue { _ = $0?.yield(input) } }

    /// Runs one attempt, and the search concurrently.
    private func attempt(
        _ options: NearbySignInOptions,
        at endpoint: NearbyEndpoint?,
        on screen: any NearbyRequesterDelegate
    ) async -> NearbyResult {
        let inputs = AsyncStream<SignInInput>.makeStream()
        let input = inputs.continuation
        current.withLockedValue { $0 = input }
        let (settings, discovery, mailbox) = (settings, discovery, DiscoveryMailbox())
        let end = options.lifetime.map { settings.clock.instant() + $0 }

        let watching = Task {
            await withDiscardingTaskGroup { group in
                if let end {
                    group.addTask {
                        guard (try? await settings.clock.sleep(until: end)) != nil else { return }
                        input.yield(.timeOver)
                    }
                }
                if endpoint == nil, let discovery {
                    group.addTask {
                        for await event in discovery.browse(.countersign(app: settings.app.rawValue)) {
                            if mailbox.post(event) { input.yield(.discovered) }
                        }
                    }
                }
            }
        }
        // It sends last messages when it is stopped, so it gets an input instead of being cancelled.
        let asking = Task {
            await SignInAttempt(
                options, at: endpoint, settings: settings, screen: screen, inputs: inputs,
                mailbox: mailbox
            ) { approver in await discovery?.confirm(ServiceInstance(name: approver.name, type: .countersign)) }
            .run()
        }
        let result = await withTaskCancellationHandler {
            await asking.value
        } onCancel: {
            input.yield(.stop)
        }
        watching.cancel()
        await watching.value
        current.withLockedValue { $0 = nil }
        return result
    }
}
