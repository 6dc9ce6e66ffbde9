/// The characters that must not be shown of untrusted text: the only definition.
///
/// Names of devices, apps, services and people come from others, and are shown on pages, on screens and in terminals.
/// There they must not steer the terminal, end the line, reverse the direction of what follows, or hide.
extension Unicode.Scalar {
    /// Whether a screen must not show it unescaped: a control character, a line break, an invisible character, or one
    /// without an assigned meaning.
    package var isUnsafeToShow: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: isUnsafeInName
        }
    }

    /// Whether a name must not contain it: a control character, a line break, or one that changes the direction of text
    /// and so makes "gnp.exe" read "exe.png". Joiners of letters and emoji may stay: names in several scripts need
    /// them.
    package var isUnsafeInName: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}

extension String {
    /// The text in one line, without what is unsafe to show; `?` when nothing is left.
    package var shownInOneLine: String {
        let text = String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isUnsafeToShow }))
        return text.allSatisfy(\.isWhitespace) ? "?" : text
    }

    /// The text with a mark in place of each character that is unsafe to show, so that a reader sees the replacement.
    package var markingUnsafe: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isUnsafeToShow ? "\u{FFFD}" : $0 }))
    }
}
