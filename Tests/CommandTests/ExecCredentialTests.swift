import Foundation
import Testing

@testable import CountersignCommand

@Suite("A question of kubectl")
struct ExecCredentialTests {
    private let token = ProgramToken(revealed: "token-1", expires: Date(timeIntervalSince1970: 1_800_000_000))

    @Test(arguments: ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"])
    func `is answered in its version`(version: String) throws {
        let asked = try ExecCredential(
            """
            {"kind":"ExecCredential","apiVersion":"\(version)","spec":{"interactive":false,
            "cluster":{"server":"https://kube.example.com:6443","config":null}}}
            """)
        #expect(asked.apiVersion == version && !asked.isInteractive)
        #expect(asked.server == "https://kube.example.com:6443")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let answer = String(decoding: try encoder.encode(asked.answer(token)), as: UTF8.self)
        #expect(
            answer == """
                {"apiVersion":"\(version)","kind":"ExecCredential",\
                "status":{"expirationTimestamp":"2027-01-15T08:00:00Z","token":"token-1"}}
                """)
    }

    @Test func `finds somebody at the terminal where an older kubectl says nothing of it`() throws {
        let silent = try ExecCredential(nil)
        #expect(silent.isInteractive && silent.server == nil)
        #expect(silent.apiVersion == "client.authentication.k8s.io/v1beta1")
        let old = try ExecCredential(#"{"apiVersion":"client.authentication.k8s.io/v1beta1","spec":{}}"#)
        #expect(old.isInteractive && old.server == nil)
    }

    @Test(
        arguments: [
            "", "{}", "[]", "null", #"{"apiVersion":"client.authentication.k8s.io/v1alpha1"}"#, #"{"apiVersion":1}"#,
            #"{"apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":7}}}"#,
            #"{"apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":"no"}}"#,
        ])
    func `is refused where it cannot be read`(variable: String) {
        #expect(throws: CommandError.self) { try ExecCredential(variable) }
    }
}
