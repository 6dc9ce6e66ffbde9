internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import HTTPTypes

extension TokenCommand {
    /// `countersign token header`
    struct Header: TokenAction {
        static let configuration = CommandConfiguration(
            abstract: "Print the header lines with which one request presents a token; renew it first if it is over.",
            discussion: """
                For curl, which reads them from standard input:

                    countersign token header https://api.example.com/me | curl -H @- https://api.example.com/me

                A token that is bound to a key needs a new proof for each request. Whoever reads the lines can make that \
                request as you. Tokens of Cross-Platform Authentication are shown by 'token show'.
                """
        )

        @OptionGroup var options: TokenOptions
        @OptionGroup var selection: SignInSelection
        @OptionGroup var server: ServerAccess

        @Argument(help: "The address of the request.")
        var url: String

        @Option(help: "The method of the request.")
        var method = "GET"

        @Option(help: "The nonce that the service gave last, as DPoP-Nonce of its answer.")
        var nonce: String?

        func output() async throws -> CommandOutput {
            guard let method = HTTPRequest.Method(method) else { throw CommandError.usage("\(method) is no method.") }
            let store = try options.storage.store()
            let selected = try await selection.token(in: store)
            let request = try endpoint().request(method)
            let tokens = try server.refresher(of: selected, in: store)
            var sent = try await tokens.authorized(request)
            if let nonce {
                let answer = HTTPResponse(status: .ok, headerFields: [.dpopNonce: nonce])
                _ = try await tokens.authorized(sent, after: answer)
                sent = try await tokens.authorized(request)
            }
            var lines: [String: String] = [:]
            for name in [HTTPField.Name.authorization, .dpop] { lines[name.rawName] = sent.headerFields[name] }
            let text = lines.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return CommandOutput(encoding: lines, text.joined(separator: "\n"))
        }

        /// The address, which --allow-insecure-http says nothing of: the token would be read on its way.
        private func endpoint() throws -> Endpoint {
            do throws(Endpoint.ParsingError) {
                return try Endpoint(url)
            } catch {
                switch error {
                case .insecure: throw CommandError.usage("\(url) is not encrypted. Use its https:// address.")
                case .malformed: throw CommandError.usage("\(url) is not the address of a request.")
                }
            }
        }
    }
}
