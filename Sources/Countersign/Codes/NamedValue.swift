/// A name with a value, as people type them: `name=value`.
package struct NamedValue: Sendable {
    package let name: String
    package let value: String

    /// Reads the name before the first `=`, and the value behind it; `nil` for a text without `=`.
    package init?(parsing text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        (name, value) = (parts[0], parts[1])
    }
}
