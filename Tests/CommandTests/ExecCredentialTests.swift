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
        #expect(asked.server.description == "https://kube.example.com:6443")
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
        let old = try ExecCredential(
            """
            {"apiVersion":"client.authentication.k8s.io/v1beta1",
            "spec":{"cluster":{"server":"https://KUBE.example.com:443/clusters/one"}}}
            """)
        #expect(old.isInteractive && old.server.description == "https://kube.example.com")
    }

    @Test(
        arguments: [
            (nil, "KUBERNETES_EXEC_INFO is missing."),
            ("{}", "kubectl does not say which API server the token is for."),
            (#"{"spec":{}}"#, "provideClusterInfo: true"), (#"{"spec":{"cluster":null}}"#, "provideClusterInfo: true"),
            (
                #"{"spec":{"cluster":{"server":"https://anna@kube.example.com"}}}"#,
                "is not the https:// address of an API server."
            ),
            (#"{"spec":{"cluster":{"server":""}}}"#, "is not the https:// address of an API server."),
            (
                #"{"spec":{"cluster":{"server":"kube.example.com:6443"}}}"#,
                "is not the https:// address of an API server."
            ),
            (
                #"{"spec":{"cluster":{"server":"https://kube.example.com","insecure-skip-tls-verify":true}}}"#,
                "lets https://kube.example.com go unverified"
            ),
        ] as [(String?, String)])
    func `is refused where no server is known that the token is for`(members: String?, reason: String) throws {
        let version = #"{"apiVersion":"client.authentication.k8s.io/v1","#
        let variable = members.map { version + ($0 == "{}" ? #""kind":"ExecCredential"}"# : String($0.dropFirst())) }
        let error = #expect(throws: CommandError.self) { try ExecCredential(variable) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
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
