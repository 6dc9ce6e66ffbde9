import Testing

@testable import CountersignCommand

@Suite("The questions that git allows")
struct HelperInteractionTests {
    private static func interaction(_ environment: [String: String], _ value: String? = nil) -> HelperInteraction {
        HelperInteraction(git: environment) { value }
    }

    @Test(arguments: ["", "0", "00", "-0", "0x0", "0k", "false", "False", "no", "OFF"])
    func `are none at the terminal where GIT_TERMINAL_PROMPT is false`(value: String) {
        #expect(!Self.interaction(["GIT_TERMINAL_PROMPT": value]).usesTerminal)
    }

    @Test(arguments: [nil, "1", "-1", "0x10", "2M", "true", "Yes", "on", "nope", "0z", "0 "])
    func `are those at the terminal otherwise`(value: String?) {
        #expect(Self.interaction(value.map { ["GIT_TERMINAL_PROMPT": $0] } ?? [:]).usesTerminal)
    }

    @Test(arguments: ["false", "never", "Never", "0"])
    func `are none where credential.interactive or GCM_INTERACTIVE says so`(value: String) {
        #expect(Self.interaction([:], value).prohibition() == "credential.interactive=\(value)")
        #expect(Self.interaction(["GCM_INTERACTIVE": value], "true").prohibition() == "GCM_INTERACTIVE=\(value)")
        #expect(Self.interaction([:], value).usesTerminal)
    }

    @Test(arguments: [nil, "", "true", "1", "auto", "always"])
    func `are not forbidden by another value`(value: String?) {
        let environment = value.map { ["GCM_INTERACTIVE": $0] } ?? [:]
        #expect(Self.interaction(environment, value).prohibition() == nil)
    }
}
