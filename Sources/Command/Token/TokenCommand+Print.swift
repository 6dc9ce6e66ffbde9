internal import ArgumentParser

extension TokenCommand {
    /// `countersign token print`
    struct Print: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an access token that works; renew it first if it is over.",
            discussion: """
                Whoever reads it can act as you. Where nobody is signed in, you are asked at the terminal, or without one on \
                the devices of the person who is remembered here. As an argument it would be in the list of processes; \
                'token header' hands it to curl, also one that is bound to a key:

                    countersign token header https://api.example.com/me | curl -H @- https://api.example.com/me
                """
        )

        @OptionGroup var use: TokenUseOptions

        @Flag(help: "Print the ID token in place of the access token.")
        var idToken = false

        @Flag(help: "Print JSON, with the expiry.")
        var json = false

        func run() async throws {
            try await ending {
                try await untilInterrupted {
                    let token = try await use.token(idToken ? .id : .access)
                    let name = idToken ? "id_token" : "access_token"
                    let members: OutputMembers = [name: token.revealed, "expires": token.expires]
                    try CommandOutput(members, token.revealed).print(asJSON: json)
                }
            }
        }
    }
}
