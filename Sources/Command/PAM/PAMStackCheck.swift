/// Checks the PAM stack of a service: whether it asks, and whether each answer leads to what its rule says.
struct PAMStackCheck: Sendable {
    let service: String
    let rule: PAMServiceRule
    let stack: PAMStack
    /// Looks at a program that the module starts.
    let program: @Sendable (_ path: String) -> PAMCheck.Program

    private var path: String { stack.path }
    private static let module = PAMStack.module

    /// The problems, and notices.
    var findings: [Finding] {
        let auth = stack.lines(of: "auth")
        let asking = stack.places(of: "auth").flatMap { place in
            findings(onControlOf: auth[place], before: stack.lines(of: "auth", after: place))
                + findings(onOptionsOf: auth[place], asks: true)
        }
        let sessions = stack.lines(of: "session")
        return asking
            + stack.places(of: "session").flatMap { findings(onOptionsOf: sessions[$0], asks: false) } + session
    }

    // MARK: Control

    /// The findings about the control of a line.
    ///
    /// - Parameter rest: The lines that come after it, as a jump counts them.
    private func findings(onControlOf line: PAMStackLine, before rest: [PAMStackLine]) -> [Finding] {
        guard let control = PAMControl(line.control) else {
            return [
                .problem(
                    "stack", "In \(path) PAM cannot read the control \(line.control.shown), and refuses everybody.",
                    "Write \(Self.advisedControl()) in place of it.")
            ]
        }
        let advice = "Write \(Self.advisedControl(keeping: control[.success])) in place of \(line.control.shown)."
        var findings: [Finding] = []
        if [.denied, .failed].contains(where: { control[$0].isPassedOver }) {
            findings.append(
                .problem(
                    "stack", "In \(path) a refusal of \(Self.module) counts for nothing: the next line decides.", advice
                ))
        }
        switch control[.success] {
        case .ok, .done: break
        case .ignore, .reset:
            findings.append(
                .problem("stack", "In \(path) an approval counts for nothing: the next line decides.", advice))
        case .bad, .die:
            findings.append(.problem("stack", "In \(path) the line of \(Self.module) refuses everybody.", advice))
        case .jump(let lines): findings += self.findings(onJumpOver: lines, of: rest, depth: line.depth)
        }
        if case .jump = control[.unavailable] { findings.append(skipped(.unavailable, advice)) }
        if case .jump = control[.unknown] { findings.append(skipped(.unknown, advice)) }
        if findings.isEmpty, !control[.unknown].isPassedOver {
            findings.append(
                .notice(
                    "stack",
                    "In \(path) the line of \(Self.module) refuses users without a person, such as root, "
                        + "and services without a rule.",
                    "For their passwords: \(advice)"))
        }
        return findings
    }

    /// The problem of an approval that leaves out lines of the stack, and leads to one that refuses, or to none.
    ///
    /// - Parameter depth: The number of substacks in which the line stands: the end of one leads to the next line after it.
    private func findings(onJumpOver lines: Int, of rest: [PAMStackLine], depth: Int) -> [Finding] {
        if depth > 0, lines == rest.count { return [] }
        guard lines < rest.count else {
            return [
                .problem(
                    "stack", "In \(path) an approval leads past the end of the stack, where it lets nobody in.",
                    "Write success=done in place of success=\(lines).")
            ]
        }
        guard rest[lines].refusesEverybody else { return [] }
        let next = rest[lines...].firstIndex { !$0.refusesEverybody }.map(String.init) ?? "done"
        return [
            .problem(
                "stack", "In \(path) an approval leads to \(rest[lines].module.shown), which refuses everybody.",
                "Write success=\(next) in place of success=\(lines).")
        ]
    }

    /// The problem of a return value other than success that leaves out further lines.
    private func skipped(_ value: PAMControl.ReturnValue, _ advice: String) -> Finding {
        .problem("stack", "In \(path) \(value.rawValue) leaves out lines of the stack, as of the password.", advice)
    }

    /// The control to write.
    ///
    /// - Parameter action: The action for an approval, which stays where it leaves out lines.
    private static func advisedControl(keeping action: PAMControl.Action = .done) -> String {
        let success = if case .jump(let lines) = action { "\(lines)" } else { "done" }
        return "[success=\(success) authinfo_unavail=ignore user_unknown=ignore default=die]"
    }

    // MARK: Options

    private func findings(onOptionsOf line: PAMStackLine, asks: Bool) -> [Finding] {
        let failure = "\(Self.module) \(asks ? "refuses everybody" : "watches no session")"
        let options: PAMModuleOptions
        do throws(PAMModuleOptions.RefusedError) {
            options = try PAMModuleOptions(line.arguments)
        } catch {
            return [
                .problem(
                    "stack", "In \(path) \(failure), for the option ‘\(error.option.shown)’.",
                    "There are command=/PATH, and timeout= with 1 to \(PAMModuleOptions.longestTimeout) seconds.")
            ]
        }
        let late =
            asks && rule.timeout > options.timeout - PAMSigningIn.decisionTime
            ? [
                Finding.problem(
                    "stack",
                    "In \(path) \(Self.module) leaves people \(options.timeout - PAMSigningIn.decisionTime) seconds, and by the rule of "
                        + "\(service) a person has \(rule.timeout).",
                    "Write timeout=\(rule.timeout + 10) into its line, or shorten that of the rule.")
            ] : []
        return findings(onProgram: options.command, failing: failure) + late
    }

    /// The findings about the program.
    ///
    /// - Parameter failure: The words for the module without one.
    private func findings(onProgram command: String, failing failure: String) -> [Finding] {
        let name = command.shown
        return switch program(command) {
        case .safe: []
        case .absent:
            [
                .problem(
                    "stack", "In \(path) \(failure), for \(name) is no program.",
                    "Install the package countersign, or name a program that can be started by command=/PATH.")
            ]
        case .changeable:
            [
                .problem(
                    "stack", "In \(path) \(Self.module) starts \(name), which other users may change.",
                    "Give it and the folders above it to root alone: chown root \(name), chmod go-w \(name).")
            ]
        }
    }

    // MARK: Sessions

    private var session: [Finding] {
        var findings: [Finding] = []
        let ours = stack.places(of: "session").first
        if rule.endsWithSignOut, ours == nil {
            findings.append(
                .problem(
                    "stack", "\(path) does not end sessions with the sign-out, as the rule has it.",
                    "Add the line: session optional \(Self.module)"))
        }
        if let ours, let systemd = stack.places(of: "pam_systemd.so", among: "session").first, ours < systemd {
            findings.append(
                .problem(
                    "stack", "In \(path) the session line of \(Self.module) comes before pam_systemd.so.",
                    "Move it to the end of the file, so that the watch belongs to the session."))
        }
        return findings
    }
}

extension PAMStackLine {
    /// Whether it refuses everybody who gets there.
    fileprivate var refusesEverybody: Bool {
        module.hasSuffix("pam_deny.so") && PAMControl(control)?[.denied].isRefusal ?? true
    }
}
