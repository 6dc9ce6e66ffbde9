internal import Countersign
internal import NIOConcurrencyHelpers

/// The events of one sign-in, for a screen to show: the current state, then each change, until it ends.
///
/// ```swift
/// for await event in signIn.events { screen.show(event) }
/// ```
public typealias SignInEvents = AsyncStream<SignInEvent>

/// Delivers each event to every observer.
final class SignInAnnouncer: Sendable {
    /// The present state.
    private struct State {
        /// The invitation, which an observer that begins late has to see before the latest event.
        var invitation: SignInEvent?
        /// The number that is shown, if any.
        var number: SignInEvent?
        /// The digits for a phone nearby that are shown, if any.
        var digits: SignInEvent?
        /// The last event after the invitation.
        var latest: SignInEvent?
    }

    private let state = NIOLockedValueBox(State())
    private let observers = Observers<SignInEvent>(longestQueue: 64)

    /// A new observer; the first events describe the current state.
    func watch() -> SignInEvents {
        state.withLockedValue { state in
            observers.watch(
                after: [state.invitation, state.number, state.digits, state.latest].compactMap(\.self))
        }
    }

    /// Notifies every observer of `event`.
    func announce(_ event: SignInEvent) {
        state.withLockedValue { state in
            switch event {
            case .invitation:
                state.invitation = event
                if case .discovering = state.latest { state.latest = nil }
            case .invitationHidden:
                state.invitation = nil
            case .discovering, .confirming, .signedIn, .failed:
                (state.invitation, state.number, state.digits) = (nil, nil, nil)
                state.latest = event
            case .link(let link):
                if case .invitation(let earlier) = state.invitation {
                    state.invitation = .invitation(earlier.linked(by: link))
                }
            case .verificationNumber(let number):
                state.number = number == nil ? nil : event
            case .waiting, .temporaryFailure:
                state.latest = event
            case .nearby(.code, _):
                state.digits = event
            case .nearby(.codeIsOver, _), .nearby(.ended, _), .began(.nearby):
                state.digits = nil
            case .presenting, .notAccepted, .began, .opened, .nearby, .ended, .codeAccepted:
                break
            }
            observers.announce(event)
        }
    }

    /// Ends the sequences of all observers; later ones watch the next sign-in.
    func finish() {
        state.withLockedValue { state in
            state = State()
            observers.finish()
        }
    }
}
