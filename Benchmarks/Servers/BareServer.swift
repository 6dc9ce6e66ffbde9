internal import ArgumentParser
internal import Hummingbird
internal import Logging

/// The reference for all figures: an endpoint of the same framework that only answers with JSON.
struct BareServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare",
        abstract: "Serve one endpoint that answers with JSON, until killed."
    )

    @Argument(help: "The port on 127.0.0.1 to listen on.")
    var port: Int

    /// About as much as introspection answers.
    private struct Answer: ResponseEncodable {
        let active: Bool
        let scope: String
        let username: String
        let sub: String
        let exp: Int
    }

    func run() async throws {
        let router = Router()
        router.get("json") { _, _ in
            Answer(active: true, scope: "openid profile", username: "anna", sub: "8b1f", exp: 1_800_000_000)
        }
        // Shows what parsing a form costs in the framework alone.
        router.post("json") { request, _ in
            _ = try await request.body.collect(upTo: 65_536)
            return Answer(active: true, scope: "openid profile", username: "anna", sub: "8b1f", exp: 1_800_000_000)
        }
        try await router.serve(at: port, as: "bare")
    }
}

extension Router<BasicRequestContext> {
    /// Serves on a port of 127.0.0.1, until killed.
    func serve(at port: Int, as name: String) async throws {
        var logger = Logger(label: name)
        logger.logLevel = .warning
        let application = Application(
            router: self,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
            logger: logger
        )
        try await application.runService()
    }
}
