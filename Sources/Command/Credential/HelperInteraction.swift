/// The questions that a program lets its helper ask.
struct HelperInteraction: Sendable {
    /// Whether the terminal of the person who started the program may be used, where there is one; otherwise the program says
    /// that nobody is there.
    let usesTerminal: Bool
    /// Looks for a setting that lets nobody be asked, also not on their devices; `nil` for none.
    let prohibition: @Sendable () -> String?

    /// At the terminal, or without one on devices.
    static let allowed = Self(usesTerminal: true) { nil }
    /// On devices alone.
    static let withoutTerminal = Self(usesTerminal: false) { nil }
}
