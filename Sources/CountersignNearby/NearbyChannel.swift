internal import Countersign
public import MulticastDNS
internal import NIOConcurrencyHelpers

/// The requester's side of nearby sign-in: finds approvers, asks the one that the person picks, and returns its grant.
///
///     let channel = NearbyChannel(settings, discovery: discovery)
///     let result = await channel.signIn(NearbyWish(.bytes(purpose: purpose)), on: screen)
///
/// Never the only way to be signed in: offer a code beside it, and cancel the task when that was quicker. Cancelling ends
/// the search and all conversations.
public final class NearbyChannel: Sendable {
    /// What this device says about itself.
    private let settings: NearbySettings
    /// How approvers are found.
    private let discovery: (any Discovery)?
    /// The inputs of the attempt that goes on.
    private let current = NIOLockedValueBox<AsyncStream<SignInInput>.Continuation?>(nil)

    /// A requester; nothing is sent before ``signIn(_:on:)``.
    ///
    /// - Parameters:
    ///   - settings: What this device says about itself, and where it keeps the approvers that it remembers.
    ///   - discovery: How approvers are found; `nil` for one that only asks at addresses that it is given.
    public init(_ settings: NearbySettings, discovery: (any Discovery)?) {
        self.settings = settings
        self.discovery = discovery
    }

    /// Looks for approvers and asks them, until there is a result. One attempt at a time.
    ///
    /// Remembered approvers are asked as soon as they are found. Of the others, the person picks one by ``choose(_:)``; the
    /// only one is picked after a second. One that has gone is asked again when it has come back.
    ///
    /// - Parameters:
    ///   - wish: What is asked for.
    ///   - screen: What the person sees; it is told of everything that happens.
    /// - Returns: How it ended; ``NearbyResult/stopped`` when the task was cancelled.
    public func signIn(_ wish: NearbyWish, on screen: any NearbyScreen) async -> NearbyResult {
        await attempt(wish, at: nil, on: screen)
    }

    /// Asks the approver at an address, which the person has picked by giving it.
    ///
    /// - Parameters:
    ///   - wish: What is asked for.
    ///   - endpoint: The approver's host and port; no other approver is looked for.
    ///   - screen: What the person sees.
    /// - Returns: How it ended; ``NearbyResult/failed(_:)`` when the approver cannot be asked.
    public func signIn(
        _ wish: NearbyWish,
        at endpoint: NearbyEndpoint,
        on screen: any NearbyScreen
    ) async -> NearbyResult {
        await attempt(wish, at: endpoint, on: screen)
    }

    /// The person has picked an approver: it is asked, and others that were being asked are let go.
    ///
    /// - Parameter approver: The ``NearbyApprover/id`` of one that was shown; others are ignored.
    public func choose(_ approver: NearbyApprover.ID) { tell(.choose(approver)) }

    /// The person wants another code after a miss; without one, nothing happens.
    public func tryAgain() { tell(.tryAgain) }

    /// The person goes back from the code that is shown: it is taken away, and counts as a miss.
    public func goBack() { tell(.goBack) }

    /// Tells the attempt that goes on; without one, nothing happens.
    private func tell(_ input: SignInInput) {
        current.withLockedValue { _ = $0?.yield(input) }
    }

    /// One attempt, with what it looks for beside it.
    ///
    /// - Parameters:
    ///   - wish: What is asked for.
    ///   - endpoint: The host and the port.
    ///   - screen: What the person sees.
    private func attempt(
        _ wish: NearbyWish,
        at endpoint: NearbyEndpoint?,
        on screen: any NearbyScreen
    ) async -> NearbyResult {
        let inputs = AsyncStream<SignInInput>.makeStream()
        let input = inputs.continuation
        current.withLockedValue { $0 = input }
        let (settings, discovery) = (settings, discovery)
        let end = wish.lifetime.map { settings.clock.instant() + $0 }

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
                            input.yield(.discovered(event))
                        }
                    }
                }
            }
        }
        // It has last words to say when it is stopped, so it is told instead of being cancelled.
        let asking = Task {
            await SignInAttempt(wish, at: endpoint, settings: settings, screen: screen, inputs: inputs).run()
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
