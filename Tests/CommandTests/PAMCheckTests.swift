import Testing

@testable import CountersignCommand

@Suite("The check of a host's set-up")
struct PAMCheckTests {
    private static let line =
        "auth [success=done authinfo_unavail=ignore user_unknown=ignore default=die] pam_countersign.so timeout=90\n"

    private static func findings(
        _ files: [String: String],
        modules: [String] = ["/lib/security/pam_countersign.so"],
        for service: String = "sshd",
        _ change: (inout PAMServiceRule) -> Void = { _ in }
    ) -> [String] {
        var rule = PAMServiceRule(for: service)
        change(&rule)
        // Beside a service that asks.
        let files = files.merging(["/etc/pam.d/door": line]) { $1 }
        return all(files, modules: modules, [service: rule, "door": PAMServiceRule(for: "door")])
            .filter { $0.grade == .problem }.map(\.finding)
    }

    private static func all(
        _ files: [String: String],
        modules: [String] = ["/lib/security/pam_countersign.so"],
        _ services: [String: PAMServiceRule] = ["sshd": PAMServiceRule(for: "sshd")]
    ) -> [Finding] {
        let includes = ["/etc/ssh/sshd_config.d/a.conf", "/etc/ssh/sshd_config.d/b.conf"]
        return PAMCheck(
            services: services,
            files: PAMCheck.Files(text: { files[$0] }, modules: modules, includes: includes, program: { _ in .safe })
        ).findings
    }

    private static let good = [
        "/etc/pam.d/sshd": "@include common-auth\nsession optional pam_countersign.so # ends\n",
        "/etc/pam.d/common-auth": "# ours\n" + line + "auth requisite pam_deny.so\n",
        "/etc/ssh/sshd_config": "UsePAM yes\nKbdInteractiveAuthentication yes\n",
    ]

    @Test func `finds nothing wrong where the stack asks, by an included file too`() {
        #expect(Self.findings(Self.good).isEmpty)
        #expect(Self.findings(Self.good) { $0.endsWithSignOut = true }.isEmpty)
        let part = Self.good.merging(["/etc/pam.d/sshd": "auth substack common-auth\n"]) { $1 }
        #expect(Self.findings(part).isEmpty)
    }

    @Test func `finds a module that is missing, a stack that does not ask, and one that is none`() {
        #expect(Self.findings(Self.good, modules: []) == ["pam_countersign.so is not installed."])
        let without = Self.good.merging(["/etc/pam.d/common-auth": "# \(Self.line)"]) { $1 }
        #expect(Self.findings(without) == ["/etc/pam.d/sshd does not ask by pam_countersign.so."])
        #expect(Self.findings(Self.good, for: "sshdd") == ["There is no /etc/pam.d/sshdd."])
        let optional = Self.good.merging(["/etc/pam.d/common-auth": "auth optional pam_countersign.so\n"]) { $1 }
        #expect(
            Self.findings(optional) == [
                "In /etc/pam.d/sshd a refusal of pam_countersign.so counts for nothing: the next line decides."
            ])
        let sessionless = Self.good.merging(["/etc/pam.d/sshd": "auth include common-auth\n"]) { $1 }
        #expect(
            Self.findings(sessionless) { $0.endsWithSignOut = true } == [
                "/etc/pam.d/sshd does not end sessions with the sign-out, as the rule has it."
            ])
    }

    @Test func `notes only that nothing asks, as long as no service does`() {
        let before = Self.good.merging(["/etc/pam.d/common-auth": "auth requisite pam_deny.so\n"]) { $1 }
        let findings = Self.all(before).filter { $0.subject == "stack" }
        #expect(findings.map(\.grade) == [.notice])
        #expect(
            findings.map(\.finding) == ["/etc/pam.d/sshd does not ask yet, nor does any other service with a rule."])
    }

    @Test func `finds a watch that would begin before the session of systemd`() {
        func findings(_ lines: String) -> [String] {
            Self.findings(
                Self.good.merging([
                    "/etc/pam.d/common-session": "session optional pam_systemd.so\n",
                    "/etc/pam.d/sshd": "@include common-auth\n\(lines)",
                ]) { $1 }
            ) { $0.endsWithSignOut = true }
        }
        #expect(findings("@include common-session\nsession optional pam_countersign.so\n").isEmpty)
        #expect(
            findings("session optional pam_countersign.so\n@include common-session\n") == [
                "In /etc/pam.d/sshd the session line of pam_countersign.so comes before pam_systemd.so."
            ])
    }

    @Test func `finds a login shell that does not ask, where the system has one`() {
        #expect(Self.findings([:], for: "sudo-i").isEmpty)
        #expect(
            Self.findings(["/etc/pam.d/sudo-i": "auth required pam_unix.so\n"], for: "sudo-i") == [
                "/etc/pam.d/sudo-i does not ask by pam_countersign.so."
            ])
    }

    @Test func `ends where files include one another`() {
        #expect(
            Self.findings(["/etc/pam.d/su": "@include su\n"], for: "su") == [
                "/etc/pam.d/su does not ask by pam_countersign.so."
            ])
    }

    @Test(arguments: [
        ("UsePAM yes\nKbdInteractiveAuthentication no\n", ["KbdInteractiveAuthentication"]),
        ("usepam=yes\n", []), ("KbdInteractiveAuthentication yes\n", ["UsePAM"]), ("", ["UsePAM"]),
        ("UsePAM no\nUsePAM yes\n", ["UsePAM"]), ("Match User anna\nUsePAM yes\n", ["UsePAM"]),
    ])
    func `finds OpenSSH without PAM or its prompts, by the first value`(text: String, wrong: [String]) {
        let files = Self.good.merging(["/etc/ssh/sshd_config": text]) { $1 }
        #expect(Self.findings(files) == wrong.map { "\($0) is not on, so that ssh never asks." })
    }

    @Test func `names the line of OpenSSH's configuration that counts`() {
        let first = "/etc/ssh/sshd_config.d/a.conf"
        let main = "/etc/ssh/sshd_config"
        func advice(_ text: String, including files: [String: String] = [:]) -> [String?] {
            Self.all(Self.good.merging(files) { $1 }.merging([main: text]) { $1 })
                .filter { $0.subject == "sshd" && $0.grade == .problem }.map(\.advice)
        }
        let included = "Include /etc/ssh/sshd_config.d/*.conf\n"
        let off = "KbdInteractiveAuthentication no\n"
        let change = "counts: change it to KbdInteractiveAuthentication yes. Then reload ssh."
        #expect(advice("# ours\n\n\(off)UsePAM yes\n") == ["Line 3 of \(main) \(change)"])
        #expect(advice("UsePAM yes\nChallengeResponseAuthentication no\n") == ["Line 2 of \(main) \(change)"])
        let on = "KbdInteractiveAuthentication yes\nUsePAM yes\n"
        #expect(advice(included + on, including: [first: "\n\(off)"]) == ["Line 2 of \(first) \(change)"])
        #expect(advice(on + included, including: [first: off]) == [])
        #expect(advice(on, including: [first: off]) == [])
        // A condition of an included file ends with it.
        let conditional = [first: "Match User anna\n\(off)", "/etc/ssh/sshd_config.d/b.conf": "UsePAM no\n"]
        #expect(
            advice("Include sshd_config.d/*.conf\n\(on)", including: conditional) == [
                "Line 1 of /etc/ssh/sshd_config.d/b.conf counts: change it to UsePAM yes. Then reload ssh."
            ])
        #expect(advice("") == ["Add to \(main): UsePAM yes. Then reload ssh."])
        #expect(advice("Include \(main)\n\(on)") == [])
    }

    @Test(arguments: [("", [1]), ("PasswordAuthentication yes\n", [1]), ("PasswordAuthentication no\n", [])])
    func `notes that ssh asks by its passwords, too`(text: String, notes: [Int]) {
        let files = Self.good.merging([
            "/etc/ssh/sshd_config": "UsePAM yes\nKbdInteractiveAuthentication yes\n\(text)"
        ]) { $1 }
        let findings = Self.all(files).filter { $0.subject == "sshd" }
        #expect(findings.map(\.grade) == notes.map { _ in .notice })
        #expect(findings.allSatisfy { $0.finding.hasPrefix("PasswordAuthentication is on") })
    }
}
