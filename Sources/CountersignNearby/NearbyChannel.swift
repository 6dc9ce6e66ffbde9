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
    private let settings: NearbySettings
    private let discovery: (any Discovery)?
    private let current = NIOLockedValueBox<AsyncStream<SignInInput>.Continuation?>(nil)

    /// A requester.
    ///
    /// - Parameter discovery: How approvers are found; `nil` for one that only asks at addresses that it is given.
    public init(_ settings: NearbySettings, discovery: (any Discovery)?) {
        self.settings = settings
        self.discovery = discovery
    }

    /// Looks for approvers and asks them, until there is a result. One attempt at a time.
    public func signIn(_ wish: NearbyWish, on screen: any NearbyScreen) async -> NearbyResult {
        await attempt(wish, at: nil, on: screen)
    }

    /// Asks the approver at an address, which the person has picked by giving it.
    public func signIn(
        _ wish: NearbyWish,
        at endpoint: NearbyEndpoint,
        on screen: any NearbyScreen
    ) async -> NearbyResult {
        await attempt(wish, at: endpoint, on: screen)
    }

    /// The person has picked an approver.
    public func choose(_ approver: NearbyApprover.ID) { tell(.choose(approver)) }

    /// The person wants another code after a miss.
    public func tryAgain() { tell(.tryAgain) }

    /// The person goes back from the code that is shown.
    public func goBack() { tell(.goBack) }

    private func tell(_ input: SignInInput) {
        current.withLockedValue { _ = $0?.yield(input) }
    }

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
