internal import Countersign
internal import CountersignWire

extension WaitingRequest {
    /// Whether an approval may have the number that is shown where the person started. It must where the ``step`` is to
    /// match it. It may where the screen is nearby, too, and needs none: a number that was typed before is still checked.
    public var takesNumber: Bool {
        if case .matchNumber = step { return true }
        return link?.approves == true && takesNumberInList
    }

    /// Whether the look at the server's list asks for the number.
    private var takesNumberInList: Bool {
        if case .inbox(let look) = look { look.details.numberDigits != nil } else { false }
    }

    /// A request of the server's list that came over a link, too: one request, with the facts of both. The link adds that
    /// its screen is near, so no number is needed, and no demand for nearness is in the way any more.
    ///
    /// - Parameter screen: The same request, as the link has it. One whose digits are not typed yet adds nothing.
    func joined(by screen: WaitingRequest) -> WaitingRequest {
        guard case .nearby(let look, let finding) = screen.look, screen.id == id, !screen.needsDigits else {
            return self
        }
        var joined = self
        let approves = !screen.isDenyOnly || isDenyOnly
        joined.kind = screen.kind
        joined.link = LinkLook(look: look, finding: finding, digest: screen.digest, approves: approves)
        joined.address = screen.address ?? address
        if approves {
            joined.step = screen.step
            joined.sessionTerms = screen.sessionTerms
            joined.sessionLimit = screen.sessionLimit
        }
        return joined
    }

    /// Whether a request is this one as it waits now, with the link that brought it since this one was shown.
    func isCompleted(by now: WaitingRequest) -> Bool {
        guard case .inbox = look, link == nil, now.link != nil else { return false }
        return id == now.id && account == now.account && client == now.client && scope == now.scope
            && deadline == now.deadline
    }
}
