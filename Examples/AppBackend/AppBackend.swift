import Countersign
import CountersignRequester
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird

/// The server of an app: it redeems the codes that the app hands to it, with a client secret that the app never sees.
///
///     swift run AppBackend https://id.example.com/token /etc/app/secret 127.0.0.1:8010
///
/// The words are the provider's token endpoint, a file with the client secret, and where to listen. The tokens stay here;
/// the app gets a session of this server. Put it behind TLS, and accept codes of your own app only.
@main
struct AppBackend {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let endpoint = try? Endpoint(words[1]),
            let secret = try? String(contentsOfFile: words[2], encoding: .utf8)
        else {
            print("Usage: AppBackend TOKEN-ENDPOINT SECRET-FILE HOST:PORT")
            exit(64)
        }
        let redeemer = CodeRedeemer(
            endpoint: endpoint,
            secret: ClientSecret(revealing: secret.trimmingCharacters(in: .whitespacesAndNewlines))
        )
        let sessions = Sessions()
        let router = Router()
        router.post("sign-in") { request, _ -> String in
            let body = try await request.body.collect(upTo: 16_384)
            guard let handover = try? JSONDecoder().decode(CodeHandover.self, from: Data(body.readableBytesView)) else {
                throw HTTPError(.badRequest)
            }
            guard let tokens = try await redeemer.tokens(for: handover) else { throw HTTPError(.forbidden) }
            return "session \(await sessions.open(with: tokens))"
        }
        let parts = words[3].split(separator: ":")
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(String(parts.first ?? "127.0.0.1"), port: parts.last.flatMap { Int($0) } ?? 0)
            ),
            onServerRunning: { channel in
                print("Listening on 127.0.0.1:\(channel.localAddress?.port ?? 0)")
                fflush(nil)
            }
        )
        try await application.runService()
    }

    /// What this server knows of the people who are signed in.
    private actor Sessions {
        private var known: [String: TokenResponse] = [:]

        func open(with tokens: TokenResponse) -> String {
            let session: AccessToken = CodeMint(drawingFrom: .system).secret()
            known[session.revealed] = tokens
            return session.revealed
        }
    }
}
