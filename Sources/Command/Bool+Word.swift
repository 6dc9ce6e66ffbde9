extension Bool {
    /// Reads true, yes or 1, and false, no or 0, in letters of either case; `nil` for another word.
    init?(word: String) {
        switch word.lowercased() {
        case "true", "yes", "1": self = true
        case "false", "no", "0": self = false
        default: return nil
        }
    }
}
