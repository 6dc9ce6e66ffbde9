public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The events of an approver, from all ways in one sequence.
public enum ApproverEvent: Sendable, Equatable {
    /// All requests that wait now, first those whose asking side waits at this device, then those of the inbox in the
    /// server's order. It comes first, and after each change.
    case waiting([WaitingRequest])
    /// The person answered a request at another place.
    case answered(WaitingRequest, at: AnswerPlace)
    /// The asking side gave a request up.
    case cancelled(WaitingRequest)
    /// A request does not wait for this device any more, and the server does not say why.
    case withdrawn(WaitingRequest)
    /// A request has expired.
    case expired(WaitingRequest)
    /// An approval was undone, by the person or by the screen that it signed in.
    case undone(DecisionListing)
    /// The person has a device that this one did not know. If it is not theirs, ``Approver/revoke(_:)`` ends it.
    case newDevice(DeviceListing)
    /// The person's password was changed at that time.
    case passwordChanged(Date)
    /// A request waits that cannot be shown.
    case failed(SignInRequest.ID, ApprovalError)
    /// The server could not be asked, and is asked again later. Pending requests stay pending.
    case temporaryFailure(ApprovalError, retryingIn: Duration)
}
