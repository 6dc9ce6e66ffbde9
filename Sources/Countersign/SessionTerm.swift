package import FoundationEssentialsCompat

/// The time of a sign-in, as its approver chose it: of a screen, or of a browser at the sign-in page of the server.
public enum SessionTerm: String, Sendable, Hashable, Codable, CaseIterable {
    /// The screen is the person's own and remembers them: it may ask their devices from now on, until they end that.
    case remembered = "remember"
    /// Until the person signs out; a browser of theirs keeps its session for the lifetime of all browser sessions.
    case own
    /// The screen is not the person's own: the sign-in ends by itself after 15 minutes.
    case quarterHour = "15m"
    /// The same after an hour.
    case hour = "1h"
    /// The same after 8 hours.
    case workday = "8h"

    /// The term where the approver chose none, for a browser that they have not used before: ``hour``.
    public static let standard = SessionTerm.hour

    /// The lifetime of the sign-in in seconds, from the approval; `nil` for one that does not end by itself.
    public var lifetime: Double? {
        switch self {
        case .remembered, .own: nil
        case .quarterHour: 900
        case .hour: 3600
        case .workday: 28_800
        }
    }
}

extension SessionTerm {
    /// The times that a person may choose for a sign-in that ends in any case: those before its end, and ``own``, which
    /// lasts until then.
    package static func all(until end: Date, at now: Date) -> [SessionTerm] {
        allCases.filter { term in
            guard let lifetime = term.lifetime else { return term == .own }
            return now + lifetime <= end
        }
    }
}
