internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A time to choose for the sign-in of a screen, or of a browser that asks at the sign-in page.
struct SessionTermView: Sendable {
    /// The form field `session`.
    static let field = "session"

    let termValue: String
    let termLabel: LocalizedText
    let isSuggested: Bool

    /// The time in a form; `nil` for none.
    static func chosen(in form: Form) -> SessionTerm? { form[field].flatMap { SessionTerm(rawValue: $0) } }

    /// The label of the field.
    static func question(about method: SignInMethod) -> LocalizedText {
        .text(method.browser == nil ? .confirmStay : .confirmWhoseBrowser)
    }

    /// The times to choose from for a service; without a choice it is the end that it wishes, or that of the person's own
    /// session if that is earlier.
    ///
    /// - Parameter end: The end of the person's own session; `nil` for one that does not end by itself.
    static func all(for service: GuestService, until end: Date?, at now: Date) -> [SessionTermView] {
        let earlier = end.flatMap { $0 < service.ends ? $0 : nil }
        let own: LocalizedText =
            earlier.map { .text(.confirmTermUntilEnd, ["clock": TimeDisplay($0, at: now).clock]) }
            ?? .text(.confirmTermWished, ["when": TimeDisplay(service.ends, at: now).text])
        return SessionTerm.all(until: earlier ?? service.ends, at: now).map { term in
            SessionTermView(
                termValue: term.rawValue, termLabel: term == .own ? own : term.labelForScreen,
                isSuggested: term == .own)
        }
    }

    /// Times to choose from, of which the form suggests one; ``Countersign/SessionTerm/own`` where the suggested one is not
    /// among them.
    ///
    /// - Parameter end: The end of the person's own session, which no time outlasts; `nil` for one that does not end by
    ///   itself.
    static func all(
        _ terms: [SessionTerm], for method: SignInMethod, suggesting suggested: SessionTerm, until end: TimeDisplay?
    ) -> [SessionTermView] {
        let isBrowser = method.browser != nil
        let suggested = terms.contains(suggested) ? suggested : .own
        return terms.map { term in
            var label = isBrowser ? term.labelForBrowser : term.labelForScreen
            if let end, term == .own { label = .text(.confirmTermUntilEnd, ["clock": end.clock]) }
            return SessionTermView(termValue: term.rawValue, termLabel: label, isSuggested: term == suggested)
        }
    }
}

extension SessionTerm {
    fileprivate var labelForBrowser: LocalizedText {
        span.map { .text(.confirmTermOther, ["span": $0]) } ?? .text(.confirmTermOwn)
    }

    fileprivate var labelForScreen: LocalizedText {
        if let span { return .text(.confirmTermFor, ["span": span]) }
        return .text(self == .remembered ? .confirmTermRemember : .confirmTermUntil)
    }

    private var span: LocalizedText? {
        switch self {
        case .remembered, .own: nil
        case .quarterHour: .counted(15, .minutes)
        case .hour: .counted(1, .hours)
        case .workday: .counted(8, .hours)
        }
    }
}
