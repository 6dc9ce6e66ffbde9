import Testing

@testable import CountersignCommand

@Suite("The check of a host's set-up")
struct PAMCheckTests {
    private static let line = "auth [success=2 authinfo_unavail=ignore default=die] pam_countersign.so timeout=60\n"

    private static func findings(
        _ files: [String: String],
        modules: [String] = ["/lib/security/pam_countersign.so"],
        for service: String = "sshd",
        _ change: (inout PAMServiceRule) -> Void = { _ in }
    ) -> [String] {
        var rule = PAMServiceRule(for: service)
        change(&rule)
        let check = PAMCheck(
            services: [service: rule],
            files: PAMCheck.Files(
                text: { files[$0] }, modules: modules, includes: ["/etc/ssh/sshd_config.d/a.conf"]))
        return check.findings.filter { $0.grade == .problem }.map(\.finding)
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
        #expect(Self.findings(optional) == ["In /etc/pam.d/sshd the line of pam_countersign.so counts for nothing."])
        let sessionless = Self.good.merging(["/etc/pam.d/sshd": "auth include common-auth\n"]) { $1 }
        #expect(
            Self.findings(sessionless) { $0.endsWithSignOut = true } == [
                "/etc/pam.d/sshd does not end sessions with the sign-out, as the rule has it."
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

    @Test func `takes what OpenSSH includes first`() {
        let files = Self.good.merging(["/etc/ssh/sshd_config.d/a.conf": "KbdInteractiveAuthentication no\n"]) { $1 }
        #expect(Self.findings(files) == ["KbdInteractiveAuthentication is not on, so that ssh never asks."])
    }

    @Test(arguments: [
        ("auth [a=1 b=2] x.so y", ["auth", "[a=1 b=2]", "x.so", "y"]), ("  # auth", []), ("auth [a", ["auth", "[a"]),
    ])
    func `reads a line in words`(line: String, words: [Substring]) {
        #expect(PAMCheck.words(of: line[...]) == words)
    }
}
