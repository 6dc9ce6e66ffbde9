internal import Countersign
internal import CountersignNearby

/// Decides when a screen shows the invitation of a code: not while the person who answers needs something else on it.
///
///     absent ──invitation──▶ shown ◀──▶ hidden
///
/// It is hidden while a person who opened the link needs the number, and while a phone nearby has the digits to type or
/// the request that they led to. The number for a person who is asked by push hides nothing: for others the code stays
/// the alternative. Nor does a paired phone, which gets each request without a person's act.
struct InvitationVisibility: Sendable, Equatable {
    private var invitation: Invitation?
    private var isPushed = false
    private var showsNumber = false
    /// The phones that a person types the digits on, or has typed them.
    private var phones: Set<NearbyApprover.ID> = []

    private var isWanted: Bool { phones.isEmpty && (isPushed || !showsNumber) }

    /// The events to report in place of `event`, in order.
    mutating func events(for event: SignInEvent) -> [SignInEvent] {
        let wasWanted = isWanted
        switch event {
        case .invitation(let new):
            invitation = new
            return isWanted ? [event] : []
        case .link(let link):
            invitation = invitation?.linked(by: link)
            return isWanted ? [event] : []
        case .began(.push): isPushed = true
        case .ended(.push, _): isPushed = false
        case .verificationNumber(let number): showsNumber = number != nil
        case .began(.nearby): phones = []
        case .nearby(let event, _): note(event)
        default: break
        }
        guard let invitation, wasWanted != isWanted else { return [event] }
        return isWanted ? [event, .invitation(invitation)] : [.invitationHidden, event]
    }

    private mutating func note(_ event: NearbyEvent) {
        switch event {
        case .code(_, let phone): phones.insert(phone.id)
        case .progress(.askedForDecision, _): break
        case .progress(_, let phone): phones.remove(phone.id)
        // The sign-in ends in a moment.
        case .ended(.granted), .ended(.stopped): break
        case .ended: phones = []
        case .found, .codeIsOver: break
        }
    }
}
