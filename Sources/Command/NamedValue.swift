/// A name with a value, as people type them: `name=value`.
struct NamedValue {
    let name: String
    let value: String

    /// Reads the name before the first `=`, and the value behind it; `nil` for a text without `=`.
    init?(parsing text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        (name, value) = (parts[0], parts[1])
    }
}
