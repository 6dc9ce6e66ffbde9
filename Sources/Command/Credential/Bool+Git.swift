internal import Foundation

extension Bool {
    /// Reads a boolean as git does: words and nothing, in letters of either case, and integers, of which all but zero are
    /// true; `nil` for other text, which git refuses.
    ///
    /// Standard: git-config(1) (`--type=bool`), git(1) (`GIT_TERMINAL_PROMPT`).
    init?(git text: String) {
        switch text.lowercased() {
        case "true", "yes", "on": self = true
        case "", "false", "no", "off": self = false
        default:
            guard let isNonzero = Self.isNonzero(text) else { return nil }
            self = isNonzero
        }
    }

    /// Whether an integer of C, to which git adds units, is another one than zero; `nil` for what is none.
    private static func isNonzero(_ text: String) -> Bool? {
        text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            errno = 0
            let number = strtol(start, &end, 0)
            guard let end, UnsafePointer(end) != start, errno == 0,
                ["", "k", "m", "g"].contains(String(cString: end).lowercased())
            else { return nil }
            return number != 0
        }
    }
}
