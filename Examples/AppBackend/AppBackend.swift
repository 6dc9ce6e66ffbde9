import CountersignRequester
import Foundation
import Hummingbird

/// The server of an app: it redeems the codes that the app hands to it, with a client secret that the app never sees, and
/// verifies who signed in.
///
///     swift run AppBackend https://id.example.com https://id.example.com/token recipes /etc/app/secret 127.0.0.1:8010
///
/// The words are the provider (its issuer, or `apple`, `google` or `facebook`), its token endpoint, the client id of the app,
/// a file with the client secret, and where to listen. The tokens stay here; the app gets a session of this server, for the
/// person of the ID token. Put it behind TLS.
@main
struct AppBackend {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 6, let provider = profile(words[1]), let endpoint = try? Endpoint(words[2]),
            let secret = try? String(contentsOfFile: words[4], encoding: .utf8)
        else {
            print("Usage: AppBackend PROVIDER TOKEN-ENDPOINT CLIENT SECRET-FILE HOST:PORT")
            exit(64)
        }
        let client = ClientID(words[3])
        let redeemer = CodeRedeemer(
            endpoint: endpoint, secret: ClientSecret(revealing: secret.trimmingCharacters(in: .whitespacesAndNewlines)))
        let verifier = IdentityVerifier(at: provider, for: [client])
        let sessions = Sessions()
        let router = Router()
        router.post("sign-in") { request, _ -> String in
            let body = try await request.body.collect(upTo: 16_384)
            guard let handover = try? JSONDecoder().decode(CodeHandover.self, from: Data(body.readableBytesView)) else {
                throw HTTPError(.badRequest)
            }
            // A code of another app, and one without a nonce, could be somebody else's.
            guard handover.client == client, let nonce = handover.nonce,
                let tokens = try await redeemer.tokens(for: handover), let token = tokens.idToken
            else { throw HTTPError(.forbidden) }
            let person: VerifiedIdentity
            do throws(SignInError) {
                person = try await verifier.identity(
                    in: token, repeating: nonce, beside: tokens.accessToken, redeemedFrom: handover.code)
            } catch {
                throw HTTPError(error.code == .identityRefused ? .forbidden : .badGateway)
            }
            return "session \(await sessions.open(for: person, with: tokens))"
        }
        let parts = words[5].split(separator: ":")
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

    /// The provider that a word on the command line names.
    private static func profile(_ word: String) -> ProviderProfile? {
        switch word {
        case "apple": .apple
        case "google": .google
        case "facebook": .facebookLimitedLogin
        default: (try? Issuer(word)).map { ProviderProfile(discoveredAt: $0) }
        }
    }

    /// The identities and tokens of the people who are signed in.
    private actor Sessions {
        private var known: [String: (person: VerifiedIdentity, tokens: TokenResponse)] = [:]

        func open(for person: VerifiedIdentity, with tokens: TokenResponse) -> String {
            let session: AccessToken = CodeMint(drawingFrom: .system).secret()
            known[session.revealed] = (person, tokens)
            return session.revealed
        }
    }
}
