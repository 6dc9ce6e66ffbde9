internal import Foundation

extension HelperInteraction {
    /// The questions that git and its user allow.
    ///
    /// Standard: git(1) (`GIT_TERMINAL_PROMPT`); git-config(1) (`credential.interactive`), which scheduled maintenance sets to
    /// `false`. Git Credential Manager has `GCM_INTERACTIVE`, and `never` for both.
    ///
    /// - Parameters:
    ///   - environment: The environment of the helper.
    ///   - configuration: Reads `credential.interactive`, where nothing else forbids questions; `nil` where it is not set.
    init(git environment: [String: String], configuration: @escaping @Sendable () -> String?) {
        usesTerminal = environment["GIT_TERMINAL_PROMPT"].flatMap(Bool.init(git:)) ?? true
        prohibition = {
            if let value = environment["GCM_INTERACTIVE"], Self.isProhibition(value) {
                return "GCM_INTERACTIVE=\(value.shown)"
            }
            return configuration().flatMap { Self.isProhibition($0) ? "credential.interactive=\($0.shown)" : nil }
        }
    }

    private static func isProhibition(_ value: String) -> Bool {
        !value.isEmpty && (value.lowercased() == "never" || Bool(git: value) == false)
    }

    /// The value of `credential.interactive` in every file and on git's command line; `nil` where it is not set, and where
    /// there is no git.
    static func configuredForGit() -> String? {
        // A boolean of any form is printed as true or false.
        let line = "git config --type=bool-or-str --get credential.interactive < /dev/null 2> /dev/null"
        guard let printed = popen(line, "r") else { return nil }
        defer { pclose(printed) }
        let bytes = (try? FileHandle(fileDescriptor: fileno(printed)).readToEnd()) ?? Data()
        let value = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        return value.isEmpty ? nil : value
    }
}
