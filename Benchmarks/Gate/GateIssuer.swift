internal import ArgumentParser
internal import Hummingbird

/// A server that knows one person, for the measurement of the gate.
struct GateIssuer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issuer",
        abstract: "Answer a gate about one person, until killed."
    )

    @Argument(help: "The port on 127.0.0.1 to listen on.")
    var port: Int

    @Argument(help: "The person.")
    var subject: String

    func run() async throws {
        let issuer = "http://127.0.0.1:\(port)"
        let metadata = """
            {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",\
            "introspection_endpoint":"\(issuer)/introspect","jwks_uri":"\(issuer)/jwks"}
            """
        let facts = """
            {"active":true,"iss":"\(issuer)","sub":"\(subject)","username":"anna","client_id":"gate","aud":"\(issuer)",\
            "groups":["family"],"scope":"openid"}
            """
        let router = Router()
        router.get(".well-known/openid-configuration") { _, _ in Self.json(metadata) }
        router.get("jwks") { _, _ in Self.json(#"{"keys":[]}"#) }
        router.post("introspect") { _, _ in Self.json(facts) }
        try await router.serve(at: port, as: "issuer")
    }

    private static func json(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
