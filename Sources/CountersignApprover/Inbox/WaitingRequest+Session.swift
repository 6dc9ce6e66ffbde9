public import Countersign
internal import FoundationEssentialsCompat

extension WaitingRequest {
    /// The time of the sign-in that an approval gives, for a chosen time; `nil` for a request without a choice.
    ///
    /// A time that the request does not offer counts as none: then a screen stays signed in, and a browser does for
    /// ``Countersign/SessionTerm/standard``; neither for longer than ``sessionLimit``.
    ///
    /// - Parameter chosen: The person's choice; `nil` where they chose none.
    public func sessionTerm(choosing chosen: SessionTerm?) -> SessionTerm? {
        guard !sessionTerms.isEmpty else { return nil }
        if let chosen, sessionTerms.contains(chosen) { return chosen }
        return kind == .browser && sessionTerms.contains(.standard) ? .standard : .own
    }

    /// The length of the sign-in that an approval gives, in English, and what becomes of a choice that the request does
    /// not offer; `nil` for a request without a choice, where none was made.
    ///
    /// - Parameter chosen: The person's choice; `nil` where they chose none.
    public func sessionSentence(choosing chosen: SessionTerm?) -> String? {
        guard let term = sessionTerm(choosing: chosen) else {
            return chosen.map { _ in "It offers no choice of a time: yours does not count." }
        }
        var sentences: [String] = []
        if let chosen, chosen != term { sentences.append(unoffered(chosen)) }
        sentences.append(sentence(for: term))
        if isRemembered, term != .remembered {
            sentences.append("The screen still remembers you: that ends on the page of your account.")
        }
        return sentences.joined(separator: " ")
    }

    private func unoffered(_ chosen: SessionTerm) -> String {
        guard chosen == .remembered else { return "It does not offer the time that you chose." }
        if kind == .browser { return "A browser does not remember you." }
        return scope.value.contains(.openid)
            ? "You are not remembered there by this approval."
            : "You are not remembered there: the app does not ask who you are."
    }

    private func sentence(for term: SessionTerm) -> String {
        if let service = service?.value { return sentence(for: term, of: service) }
        return switch term {
        case .remembered: "You stay signed in, and the screen remembers you."
        case .own:
            sessionLimit.map {
                "You stay signed in until \($0.formatted(.iso8601)), when the sign-in of this device ends."
            } ?? "You stay signed in until you sign out."
        case .quarterHour: "You are signed out after 15 minutes."
        case .hour: "You are signed out after an hour."
        case .workday: "You are signed out after 8 hours."
        }
    }

    private func sentence(for term: SessionTerm, of service: GuestService) -> String {
        switch term {
        case .remembered, .own:
            "It may act for you until \(min(service.ends, sessionLimit ?? service.ends).formatted(.iso8601))."
        case .quarterHour: "It may act for you for 15 minutes."
        case .hour: "It may act for you for an hour."
        case .workday: "It may act for you for 8 hours."
        }
    }
}
