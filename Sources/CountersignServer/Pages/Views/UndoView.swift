internal import FoundationEssentialsCompat

/// The offer to undo an approval.
struct UndoView: Sendable, Equatable {
    /// The form field `grant`; no secret.
    let grant: String
    /// The time left of the offer, in words.
    let timeLeft: LocalizedText
    /// The end of the offer.
    let undoUntil: TimeDisplay

    init(grant: String, until end: Date, at now: Date) {
        self.grant = grant
        timeLeft = TimeDisplay.span(end.timeIntervalSince(now))
        undoUntil = TimeDisplay(end, at: now)
    }
}
