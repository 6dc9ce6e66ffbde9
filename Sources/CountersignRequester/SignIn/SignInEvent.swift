public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a screen can show while a person signs in. It never holds a secret.
public enum SignInEvent: Sendable, Equatable {
    /// The server is being found.
    case discovering
    /// There is a code to show, in place of any before it.
    case invitation(Invitation)
    /// Waiting for the person, until the code is over; said again when trouble has passed, or when this device's clock
    /// was set and the date is another.
    case waiting(until: Date)
    /// Something is in the way; the next attempt is at this date.
    case trouble(Trouble, retryingAt: Date)
    /// Somebody was signed in, and the person at the screen is asked whether it is they.
    case confirming(VerifiedIdentity)
    /// It is done; who it is, when that was asked.
    case signedIn(VerifiedIdentity?)
    /// It did not work.
    case failed(SignInError)
}
