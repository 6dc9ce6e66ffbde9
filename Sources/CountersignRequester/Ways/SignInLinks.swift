internal import Countersign
internal import CountersignWire
internal import NIOConcurrencyHelpers

/// The links of one request that only this screen shares with the person who approves: with phones nearby, and with the
/// browser of this device.
///
/// Token requests name them, so that nobody else redeems an approval that was given over one. Each code has its own
/// verifier; with a new code the links of the previous one are forgotten.
final class SignInLinks: Sendable {
    /// The present code, and the links that have carried its request.
    private struct State {
        /// The verifier of the present code.
        var verifier: NearbyVerifier?
        var request: NearbySignInRequest?
        /// The links that token requests name at present.
        var links = NearbyLinks()
    }

    private let state = NIOLockedValueBox(State())
    /// The tasks that wait for another link.
    private let observers = Observers<Void>(longestQueue: 1)

    /// The request to send over an authenticated link, and only there; `nil` while there is no code that fits into one.
    var request: NearbySignInRequest? { state.withLockedValue(\.request) }

    /// Names a link in token requests from now on.
    func add(_ link: NearbyLinkID) {
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
        state.withLockedValue { $0 = State(verifier: verifier) }
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
