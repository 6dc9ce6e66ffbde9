public import Countersign
internal import CountersignWire
internal import NIOConcurrencyHelpers

/// Connects a sign-in with links to phones nearby: the request that a link carries, and the links that have carried it.
///
/// ```swift
/// let nearby = NearbySignIn()
/// let signIn = SignIn(at: issuer, as: client, for: scope, nearby: nearby)
/// // Once there is an invitation, on an authenticated link:
/// if let request = nearby.request {
///     try await link.send(request)
///     nearby.asked(over: link.id)
/// }
/// ```
///
/// Each code has its own verifier; with a new code the links that carried the previous one are forgotten.
public final class NearbySignIn: Sendable {
    /// The present code, and the links that carried its request.
    private struct State {
        /// The verifier of the present code.
        var verifier: NearbyVerifier?
        var request: NearbySignInRequest?
        /// The links that token requests name at present.
        var links = NearbyLinks()
    }

    /// The present request, and the links that have carried it.
    private let state = NIOLockedValueBox(State())
    /// The tasks that wait for another link.
    private let observers = Observers<Void>(longestQueue: 1)

    /// Prepares a sign-in that phones nearby may approve.
    public init() {}

    /// The request to send over an authenticated link, and only there; `nil` while there is no code that fits into one.
    public var request: NearbySignInRequest? { state.withLockedValue(\.request) }

    /// Names a link in token requests from now on: to be called when ``request`` was sent over it.
    ///
    /// - Parameter link: The id of the authenticated link.
    public func asked(over link: NearbyLinkID) {
        let isNew = state.withLockedValue { state in
            guard !state.links.ids.contains(link) else { return false }
            state.links = NearbyLinks(state.links.ids + [link])
            return true
        }
        if isNew { observers.announce(()) }
    }

    /// Begins a request for a code with a new verifier, and returns its challenge.
    func begin(drawingFrom random: RandomSource) -> NearbyChallenge {
        let verifier = NearbyVerifier(drawingFrom: random)
        state.withLockedValue { state in
            state.verifier = verifier
            state.request = nil
            state.links = NearbyLinks()
        }
        return verifier.challenge
    }

    /// Records the code of the request that began.
    func began(at issuer: Issuer, with code: UserCodeText) {
        state.withLockedValue { state in
            guard let verifier = state.verifier else { return }
            state.request = NearbySignInRequest(issuer: issuer.text, userCode: code, verifier: verifier)
        }
    }

    /// The links that token requests name now.
    var links: NearbyLinks { state.withLockedValue(\.links) }

    /// Returns once there are other links than `known`, or the task is cancelled.
    func change(since known: NearbyLinks) async {
        let changes = observers.watch()
        guard links == known else { return }
        for await _ in changes { return }
    }
}
