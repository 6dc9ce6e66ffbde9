import Foundation
import Testing

@testable import CountersignCommand

@Suite("The check of a PAM stack")
struct PAMStackCheckTests {
    private static let control = "[success=done authinfo_unavail=ignore user_unknown=ignore default=die]"
    private static let refused =
        "In /etc/pam.d/su a refusal of pam_countersign.so counts for nothing: the next line decides."

    /// The findings about a line of the module, with one that asks for a password after it.
    private static func findings(
        _ line: String,
        after: String = "auth required pam_unix.so\n",
        program: PAMCheck.Program = .safe,
        _ change: (inout PAMServiceRule) -> Void = { _ in }
    ) -> [Finding] {
        var rule = PAMServiceRule(for: "su")
        change(&rule)
        let files = PAMCheck.Files(
            text: { $0 == "/etc/pam.d/su" ? "\(line)\n\(after)" : nil }, modules: [], includes: [],
            program: { _ in program })
        return PAMStack(of: "su", in: files).map { stack in
            PAMStackCheck(service: "su", rule: rule, stack: stack, program: files.program).findings
        } ?? []
    }

    private static func findings(with control: String) -> [Finding] { findings("auth \(control) pam_countersign.so") }

    @Test(arguments: [
        control, "[success=1 authinfo_unavail=ignore user_unknown=ignore default=bad]",
        "[success=ok new_authtok_reqd=ok authinfo_unavail=die user_unknown=ignore default=die]",
        "[user_unknown=reset default=die success=done]", "[ success = done user_unknown = ignore ]",
    ])
    func `finds nothing where an approval and a refusal count`(control: String) {
        // One line after that of the password, to which success=1 leads.
        let findings = Self.findings(
            "auth \(control) pam_countersign.so", after: "auth required pam_unix.so\nauth required pam_permit.so\n")
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test(arguments: [
        "sufficient", "Sufficient", "optional", "[success=done default=ignore]", "[default=done auth_err=ignore]",
        "[success=done auth_err=reset default=die]", "[success=done auth_err=2 default=die]",
        "[success=done service_err=ignore default=die]", "[default=ignore default=die success=done]",
    ])
    func `finds a control by which a refusal leads to the password`(control: String) throws {
        let findings = Self.findings(with: control).filter { $0.grade == .problem }
        #expect(findings.map(\.finding) == [Self.refused])
        #expect(findings.map(\.advice) == ["Write \(Self.control) in place of \(control)."])
    }

    @Test func `keeps the lines that an approval leaves out, in its advice`() {
        let findings = Self.findings(
            "auth [success=1 default=ignore] pam_countersign.so",
            after: "auth requisite pam_deny.so\nauth required pam_permit.so")
        #expect(
            findings.first { $0.grade == .problem }?.advice
                == "Write [success=1 authinfo_unavail=ignore user_unknown=ignore default=die] in place of "
                + "[success=1 default=ignore].")
    }

    @Test(arguments: [
        // One that was written for pam_unix.so alone.
        ("2", "unix sss deny permit", "pam_deny.so, which refuses everybody", "3"),
        ("3", "unix sss deny permit", "", ""),
        ("1", "deny deny", "pam_deny.so, which refuses everybody", "done"),
    ])
    func `finds an approval that leads to a line that refuses`(
        count: String, modules: String, end: String, better: String
    ) {
        let after = modules.split(separator: " ").map { "auth required pam_\($0).so\n" }.joined()
        let control = "[success=\(count) authinfo_unavail=ignore user_unknown=ignore default=die]"
        let findings = Self.findings("auth \(control) pam_countersign.so", after: after)
        #expect(findings.allSatisfy { $0.grade == .problem })
        #expect(
            findings.map(\.finding) == (end.isEmpty ? [] : ["In /etc/pam.d/su an approval leads to \(end)."]))
        #expect(findings.allSatisfy { $0.advice == "Write success=\(better) in place of success=\(count)." })
    }

    @Test func `counts a substack as one line, and the lines of one up to its end`() {
        func findings(_ lines: String, substack: String) -> [String] {
            let texts = ["/etc/pam.d/su": lines, "/etc/pam.d/part": substack]
            let files = PAMCheck.Files(text: { texts[$0] }, modules: [], includes: [], program: { _ in .safe })
            return PAMStack(of: "su", in: files).map { stack in
                PAMStackCheck(
                    service: "su", rule: PAMServiceRule(for: "su"), stack: stack, program: files.program
                ).findings.map(\.finding)
            } ?? []
        }
        func line(_ success: Int) -> String {
            "auth [success=\(success) authinfo_unavail=ignore user_unknown=ignore default=die] pam_countersign.so\n"
        }
        let part = "auth required pam_unix.so\nauth required pam_deny.so\n"
        let over = "auth substack part\nauth required pam_permit.so\n"
        let past = "In /etc/pam.d/su an approval leads past the end of the stack, where it lets nobody in."
        #expect(findings(line(1) + over, substack: part) == [])
        #expect(findings(line(2) + over, substack: part) == [past])
        // The end of a substack leads to the line after it, and a jump goes no further.
        #expect(findings(over, substack: line(2) + part) == [])
        #expect(findings(over, substack: line(3) + part) == [past])
    }

    @Test(arguments: ["sshd", "sudo", "su", "login"])
    func `finds nothing in the files of Debian 12, as pam-auth-update enables the module`(service: String) throws {
        let files = PAMCheck.Files(
            text: { DebianStacks.files[$0] }, modules: [], includes: [], program: { _ in .safe })
        let stack = try #require(PAMStack(of: service, in: files))
        #expect(stack.asks)
        let check = PAMStackCheck(
            service: service, rule: PAMServiceRule(for: service), stack: stack, program: files.program)
        #expect(check.findings.isEmpty, "\(check.findings)")
    }

    @Test(arguments: [
        ("requird", "PAM cannot read the control requird, and refuses everybody."),
        (
            "[success=done defualt=die]",
            "PAM cannot read the control [success=done defualt=die], and refuses everybody."
        ),
        ("[success=0 default=die]", "PAM cannot read the control [success=0 default=die], and refuses everybody."),
        ("[success=done", "PAM cannot read the control [success=done, and refuses everybody."),
        ("[default=die]", "the line of pam_countersign.so refuses everybody."),
        ("[success=ignore user_unknown=ignore default=die]", "an approval counts for nothing: the next line decides."),
        (
            "[success=1 user_unknown=ignore default=die]",
            "an approval leads past the end of the stack, where it lets nobody in."
        ),
        (
            "[success=done authinfo_unavail=1 user_unknown=ignore default=die]",
            "authinfo_unavail leaves out lines of the stack, as of the password."
        ),
        (
            "[success=done authinfo_unavail=ignore user_unknown=1 default=die]",
            "user_unknown leaves out lines of the stack, as of the password."
        ),
    ])
    func `finds a control that lets nobody in, or leaves out the password`(control: String, sentence: String) {
        let findings = Self.findings(with: control).filter { $0.grade == .problem }
        #expect(findings.map(\.finding) == ["In /etc/pam.d/su \(sentence)"])
    }

    @Test(arguments: ["required", "requisite", "[success=done default=die]"])
    func `notes that users without a person are refused`(control: String) {
        let findings = Self.findings(with: control)
        #expect(findings.map(\.grade) == [.notice])
        #expect(
            findings.map(\.finding) == [
                "In /etc/pam.d/su the line of pam_countersign.so refuses users without a person, such as root, and services "
                    + "without a rule."
            ])
    }

    @Test(arguments: [
        "debug", "timeout=0", "timeout=601", "timeout=", "timeout=1m", "timeout", "command=bin/x", "command",
        "Timeout=5",
    ])
    func `finds an option that the module refuses, on a line for sessions too`(option: String) {
        func sentence(_ failure: String) -> String {
            "In /etc/pam.d/su pam_countersign.so \(failure), for the option ‘\(option)’."
        }
        #expect(
            Self.findings("auth \(Self.control) pam_countersign.so \(option)").map(\.finding) == [
                sentence("refuses everybody")
            ])
        #expect(
            Self.findings("session optional pam_countersign.so \(option)").map(\.finding) == [
                sentence("watches no session")
            ])
    }

    @Test func `reads options as PAM does`() {
        let line =
            "-auth \(Self.control) \\\n /lib/security/pam_countersign.so [timeout=90] timeout=600 command=/bin/x # y"
        #expect(Self.findings(line).isEmpty)
    }

    @Test(arguments: [
        (PAMCheck.Program.absent, "refuses everybody, for /opt/ask is no program."),
        (.changeable, "starts /opt/ask, which other users may change."),
    ])
    func `finds a program that cannot be started, or that others may change`(
        program: PAMCheck.Program, sentence: String
    ) {
        let line = "auth \(Self.control) pam_countersign.so command=/opt/ask"
        #expect(
            Self.findings(line, program: program).map(\.finding) == ["In /etc/pam.d/su pam_countersign.so \(sentence)"])
    }

    @Test(arguments: [("", 118, true), ("", 119, false), ("timeout=30", 29, false), ("timeout=582", 580, true)])
    func `finds a rule that gives people more time than the module`(option: String, seconds: Int, isFine: Bool) {
        let findings = Self.findings("auth \(Self.control) pam_countersign.so \(option)") { $0.timeout = seconds }
        #expect(findings.isEmpty == isFine)
        #expect(findings.allSatisfy { $0.finding.hasSuffix("by the rule of su a person has \(seconds).") })
        #expect(findings.allSatisfy { $0.advice?.contains("timeout=\(seconds + 10)") == true })
    }
}

@Suite("A line of a PAM stack")
struct PAMStackLineTests {
    @Test(arguments: [
        ("auth [a=1 b=2] x.so y", ["auth", "[a=1 b=2]", "x.so", "y"]), ("  # auth", []), ("auth [a", ["auth", "[a"]),
    ])
    func `has words, of which a control in brackets is one`(line: String, words: [Substring]) {
        #expect(PAMStackLine.words(of: line[...]) == words)
    }

    @Test func `has a type, a control, a module and its arguments`() throws {
        let line = try #require(PAMStackLine(["-Auth", "[a=1 b=2]", "x.so", "y", "[z z]"]))
        #expect(line.type == "auth" && line.control == "[a=1 b=2]" && line.module == "x.so")
        #expect(line.arguments == ["y", "z z"])
        #expect(PAMStackLine(["auth", "x.so"]) == nil)
    }
}

@Suite("The options of the module")
struct PAMModuleOptionsTests {
    @Test func `are the defaults and limits of its source`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../PAM/pam_countersign.c")
        let source = try String(contentsOf: file, encoding: .utf8)
        let options = try PAMModuleOptions([])
        for line in [
            "#define DEFAULT_COMMAND \"\(options.command)\"", "#define DEFAULT_TIMEOUT \(options.timeout)",
            "#define LONGEST_TIMEOUT \(PAMModuleOptions.longestTimeout)",
        ] {
            #expect(source.contains("\(line)\n"), "\(line)")
        }
    }

    @Test func `are the last of each kind`() throws {
        let options = try PAMModuleOptions(["command=/a", "timeout=5", "command=/b", "timeout=6"])
        #expect(options.command == "/b" && options.timeout == 6)
    }
}
