public import Countersign
public import FoundationEssentialsCompat

/// The events that a screen can show while a person signs in. They never contain a secret.
///
/// The usual order is ``discovering``, ``invitation(_:)``, ``waiting(until:)``, ``confirming(_:)``, ``signedIn(_:)``. A
/// temporary failure is reported between them, and ``failed(_:)`` ends a sign-in at any point.
public enum SignInEvent: Sendable, Equatable {
    /// The server's metadata are being read.
    case discovering
    /// There is a code to show, instead of any previous one.
    case invitation(Invitation)
    /// Waiting for the person until this date; reported again when a failure is over, or when this device's clock was
    /// set.
    case waiting(until: Date)
    /// Show this number next to the invitation, large: a person has opened the link and must enter it. `nil` when it is
    /// no longer shown. Only where ``SignInOptions/showsNumber`` is set.
    case verificationNumber(VerificationNumber?)
    /// There is a new link to the same request, to show in place of the one before; the code stays. Only where
    /// ``SignInOptions/renewsLink`` is set.
    case link(URL)
    /// A temporary failure; the next attempt is at this date.
    case temporaryFailure(TemporaryFailure, retryingAt: Date)
    /// A person was signed in, and the person at the screen is asked to confirm it.
    case confirming(VerifiedIdentity)
    /// The sign-in succeeded; with the person, if requested.
    case signedIn(VerifiedIdentity?)
    /// The sign-in failed.
    case failed(SignInError)
}
