/// The settings of OpenSSH's server, with the files that it includes where it includes them.
///
/// The first value of a keyword counts. Those after a condition (`Match`) are not looked at.
/// Standard: sshd_config(5).
struct OpenSSHSettings: Sendable {
    /// A value, and the line that sets it.
    struct Value: Sendable, Equatable {
        /// The value in small letters.
        let word: String
        let path: String
        let line: Int
    }

    private var values: [String: Value] = [:]

    private static let path = "/etc/ssh/sshd_config"
    private static let folder = "/etc/ssh/sshd_config.d"
    /// Old names of keywords.
    private static let aliases = ["challengeresponseauthentication": "kbdinteractiveauthentication"]

    init(in files: PAMCheck.Files) {
        read(Self.path, in: files)
    }

    /// The value of a keyword; `nil` where the default counts.
    subscript(keyword: String) -> Value? { values[keyword.lowercased()] }

    /// The sentence that says which line to change, or to add.
    func change(of keyword: String, to word: String) -> String {
        guard let value = self[keyword] else { return "Add to \(Self.path): \(keyword) \(word)." }
        return "Line \(value.line) of \(value.path) counts: change it to \(keyword) \(word)."
    }

    /// Reads a file.
    ///
    /// - Parameter depth: The number of files that included it.
    private mutating func read(_ path: String, in files: PAMCheck.Files, depth: Int = 0) {
        guard depth < 8, let text = files.text(path) else { return }
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split { $0.isWhitespace || $0 == "=" || $0 == "\"" }
            guard let first = words.first?.lowercased(), !first.hasPrefix("#") else { continue }
            if first == "match" { return }
            if first == "include" {
                for pattern in words.dropFirst() {
                    let path = pattern.hasPrefix("/") ? String(pattern) : "/etc/ssh/\(pattern)"
                    for path in path == "\(Self.folder)/*.conf" ? files.includes : [path] {
                        read(path, in: files, depth: depth + 1)
                    }
                }
                continue
            }
            let keyword = Self.aliases[first] ?? first
            guard words.count > 1, values[keyword] == nil else { continue }
            values[keyword] = Value(word: words[1].lowercased(), path: path, line: index + 1)
        }
    }
}
