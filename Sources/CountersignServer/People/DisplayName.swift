/// The name of a person that others see: one line of 1 to 1,024 bytes.
package struct DisplayName: Sendable, Equatable {
    /// The maximum length in bytes.
    package static let longest = 1024

    /// The name, without white space around it.
    package let text: String

    /// Reads a name as it was typed.
    ///
    /// - Parameter text: The typed text; `nil` is returned for an empty one, for more than ``longest`` bytes, and for
    ///   characters that are unsafe in a name.
    package init?(parsing text: String) {
        let shown = TypedText.trimmed(text)
        guard (1...Self.longest).contains(shown.utf8.count), !shown.unicodeScalars.contains(where: \.isUnsafeInName)
        else { return nil }
        self.text = shown
    }
}
