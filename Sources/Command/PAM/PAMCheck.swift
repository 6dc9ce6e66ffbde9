internal import Countersign

/// Checks the set-up of a host: its configuration, the PAM stacks, and OpenSSH.
struct PAMCheck: Sendable {
    /// The files of PAM and OpenSSH that a host has.
    struct Files: Sendable {
        /// Reads a text; `nil` where there is none.
        let text: @Sendable (_ path: String) -> String?
        /// The paths of the module, of which one is enough.
        let modules: [String]
        /// The files of `/etc/ssh/sshd_config.d`, in their order.
        let includes: [String]
    }

    let services: [String: PAMServiceRule]
    let files: Files

    private static let module = "pam_countersign.so"

    var findings: [Finding] {
        var findings = files.modules.isEmpty ? [Self.missing] : []
        if services.isEmpty {
            findings.append(
                .notice("services", "No service has a rule, so that nobody is asked.", "Name some under services."))
        }
        for (name, rule) in services.sorted(by: { $0.key < $1.key }) {
            findings += self.findings(about: name, rule)
        }
        if services["sshd"] != nil { findings += ssh }
        return findings
    }

    /// Whether a service with a rule asks: before the first one does, the module is not enabled yet.
    private var isEnabled: Bool {
        services.keys.contains { lines(of: "/etc/pam.d/\($0)").map(Self.asks) ?? false }
    }

    private static func asks(_ lines: [[Substring]]) -> Bool {
        lines.contains { type(of: $0) == "auth" && $0.contains { $0.hasSuffix(module) } }
    }

    private static let missing = Finding.problem(
        "module", "\(module) is not installed.", "Install the package libpam-countersign.")

    /// The findings about the stack of a service.
    private func findings(about service: String, _ rule: PAMServiceRule) -> [Finding] {
        let path = "/etc/pam.d/\(service)"
        guard let lines = lines(of: path) else {
            // Not every system has them.
            if PAMServiceRule.loginShells[service] != nil { return [] }
            return [.problem("stack", "There is no \(path).", "Take the rule of \(service) away, or mend its name.")]
        }
        var findings: [Finding] = []
        let ours = lines.filter { $0.contains { $0.hasSuffix(Self.module) } }
        if !Self.asks(lines) {
            let advice = "Run pam-auth-update --enable countersign, or add a line of type auth."
            findings.append(
                isEnabled
                    ? .problem("stack", "\(path) does not ask by \(Self.module).", advice)
                    : .notice("stack", "\(path) does not ask yet, nor does any other service with a rule.", advice))
        }
        for line in ours where Self.type(of: line) == "auth" && Self.isOptional(line) {
            findings.append(
                .problem(
                    "stack", "In \(path) the line of \(Self.module) counts for nothing.",
                    "Write [success=done authinfo_unavail=ignore user_unknown=ignore default=die] in place of optional."
                ))
        }
        if rule.endsWithSignOut, !ours.contains(where: { Self.type(of: $0) == "session" }) {
            findings.append(
                .problem(
                    "stack", "\(path) does not end sessions with the sign-out, as the rule has it.",
                    "Add the line: session optional \(Self.module)"))
        }
        let sessions = lines.filter { Self.type(of: $0) == "session" }
        func place(of module: String) -> Int? { sessions.firstIndex { $0.contains { $0.hasSuffix(module) } } }
        if let ours = place(of: Self.module), let systemd = place(of: "pam_systemd.so"), ours < systemd {
            findings.append(
                .problem(
                    "stack", "In \(path) the session line of \(Self.module) comes before pam_systemd.so.",
                    "Move it to the end of the file, so that the watch belongs to the session."))
        }
        return findings.isEmpty ? [.fine("stack", "\(service) asks.")] : findings
    }

    private var ssh: [Finding] {
        let settings = OpenSSHSettings(in: files)
        func isOn(_ name: String, otherwise standard: String) -> Bool { (settings[name]?.word ?? standard) == "yes" }
        let findings = [("UsePAM", "no"), ("KbdInteractiveAuthentication", "yes")].compactMap { name, standard in
            isOn(name, otherwise: standard)
                ? nil
                : Finding.problem(
                    "sshd", "\(name) is not on, so that ssh never asks.",
                    "\(settings.change(of: name, to: "yes")) Then reload ssh.")
        }
        guard findings.isEmpty, isOn("PasswordAuthentication", otherwise: "yes") else { return findings }
        return [
            .notice(
                "sshd", "PasswordAuthentication is on, too: by it, ssh asks phones and cannot show the number.",
                "\(settings.change(of: "PasswordAuthentication", to: "no")) Then reload ssh. The password of the next line of "
                    + "the stack is asked for all the same.")
        ]
    }

    /// The lines of a stack in words, with those of the files that it includes; `nil` where there is no file.
    ///
    /// - Parameter depth: The number of files that included it.
    private func lines(of path: String, depth: Int = 0) -> [[Substring]]? {
        guard depth < 8, let text = files.text(path) else { return nil }
        return text.split(whereSeparator: \.isNewline).flatMap { line -> [[Substring]] in
            let words = Self.words(of: line)
            guard let first = words.first else { return [] }
            let isWhole = first.lowercased() == "@include"
            let isPart = words.count > 2 && ["include", "substack"].contains(words[1])
            guard isWhole || isPart, let name = words.dropFirst(isWhole ? 1 : 2).first else { return [words] }
            let included = lines(of: name.hasPrefix("/") ? String(name) : "/etc/pam.d/\(name)", depth: depth + 1) ?? []
            return isWhole ? included : included.filter { Self.type(of: $0) == Self.type(of: words) }
        }
    }

    /// The words of a line, without its comment; a control in brackets is one.
    static func words(of line: Substring) -> [Substring] {
        var (words, rest) = ([Substring](), line.prefix { $0 != "#" })
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { return words }
            let word: Substring
            if first == "[", let end = rest.firstIndex(of: "]") {
                word = rest[...end]
            } else {
                word = rest.prefix { !$0.isWhitespace }
            }
            words.append(word)
            rest = rest[word.endIndex...]
        }
    }

    /// The type of a line: `-auth` is one of `auth` whose module may be missing.
    private static func type(of words: [Substring]) -> String {
        (words.first ?? "").drop { $0 == "-" }.lowercased()
    }

    private static func isOptional(_ words: [Substring]) -> Bool {
        words.count > 1 && words[1].lowercased() == "optional"
    }
}
