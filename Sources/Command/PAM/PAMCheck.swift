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
        /// Looks at a program that the module starts.
        let program: @Sendable (_ path: String) -> Program
    }

    /// The state of a program that the module starts.
    enum Program: Sendable, Hashable {
        /// It can be started, and root alone can change it.
        case safe
        /// There is none, or it cannot be started.
        case absent
        /// Other users can change it, or put another in its place.
        case changeable
    }

    let services: [String: PAMServiceRule]
    let files: Files

    private static let module = PAMStack.module

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
    private var isEnabled: Bool { services.keys.contains { PAMStack(of: $0, in: files)?.asks ?? false } }

    private static let missing = Finding.problem(
        "module", "\(module) is not installed.", "Install the package libpam-countersign.")

    /// The findings about the stack of a service.
    private func findings(about service: String, _ rule: PAMServiceRule) -> [Finding] {
        guard let stack = PAMStack(of: service, in: files) else {
            // Not every system has them.
            if PAMServiceRule.loginShells[service] != nil { return [] }
            return [
                .problem(
                    "stack", "There is no /etc/pam.d/\(service).", "Take the rule of \(service) away, or mend its name."
                )
            ]
        }
        var findings: [Finding] = []
        if !stack.asks {
            let advice = "Run pam-auth-update --enable countersign, or add a line of type auth."
            findings.append(
                isEnabled
                    ? .problem("stack", "\(stack.path) does not ask by \(Self.module).", advice)
                    : .notice(
                        "stack", "\(stack.path) does not ask yet, nor does any other service with a rule.", advice))
        }
        findings += PAMStackCheck(service: service, rule: rule, stack: stack, program: files.program).findings
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
}
