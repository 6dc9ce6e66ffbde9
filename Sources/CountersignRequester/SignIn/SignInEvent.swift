public import Countersign
internal import CountersignNearby
public import FoundationEssentialsCompat

/// The events of a sign-in that a screen can show, the same for all ways. They print no secret.
///
/// The usual order is ``discovering``, ``began(_:)`` for each way, ``invitation(_:)``, ``waiting(until:)``,
/// ``confirming(_:)``, ``signedIn(_:)``. ``sentence`` says each in words.
public enum SignInEvent: Sendable, Equatable {
    /// The server's metadata are being read.
    case discovering
    /// A proof that needs no other person is being presented.
    case presenting(SignInProof.Kind)
    /// A proof was not accepted; the sign-in goes on without it.
    case notAccepted(SignInProof.Kind, SignInError)
    /// A way has begun: the search for phones nearby, the browser, or the question on the remembered person's devices.
    case began(SignInWay)
    /// A page was opened on this device. The address is for the person to open, in case no page appears.
    case opened(URL, in: BrowserPlace)
    /// There is news of phones nearby; the person's choices go to the ``NearbyPhones``.
    case nearby(NearbyEvent, NearbyPhones)
    /// A way has ended without a decision; the others go on.
    case ended(SignInWay, SignInError)
    /// There is a code to show, instead of any previous one; also one that was hidden, and is needed again.
    case invitation(Invitation)
    /// Take the code, the link and the QR code off the screen: a person answers, and needs the number or the digits alone.
    /// Where they do not, another ``invitation(_:)`` brings the code back.
    case invitationHidden
    /// The server has accepted the code that was typed here (``SignInOptions/personCode``): its person answers where they
    /// got it.
    case codeAccepted
    /// Waiting for the person until this date; reported again when a failure is over, or when this device's clock was
    /// set.
    case waiting(until: Date)
    /// Show this number, large: a person has opened the link, or is asked by push, and must enter it. `nil` when it is no
    /// longer shown. Only where ``SignInOptions/showsNumber`` is set.
    case verificationNumber(VerificationNumber?)
    /// There is a new link to the same request, to show in place of the one before; the code stays. Only where
    /// ``SignInOptions/renewsLink`` is set.
    case link(URL)
    /// A temporary failure; the next attempt is at this date.
    case temporaryFailure(TemporaryFailure, retryingAt: Date)
    /// A person was signed in: ask the person at the screen whether it is they, and pass on the answer. Nothing goes on
    /// without it.
    case confirming(IdentityQuestion)
    /// The sign-in succeeded; the last event.
    case signedIn(CompletedSignIn)
    /// The sign-in failed; the last event of ``SignIn/events``. An iteration throws the error instead.
    case failed(SignInError)
}
