import CountersignResource
import Foundation
import Hummingbird

/// Radio services that take the tokens of one authorization provider, each a domain of its own:
///
///     swift run RadioServices https://id.example.com/cpa < domains
///
/// where each line of `domains` holds a domain and its credential, as `countersign admin domain add` printed it:
///
///     127.0.0.1:8001 8Gk1…
///     127.0.0.1:8002 vQ2x…
///
/// `/now` is for everybody who holds a token of the service, `/favourites` for people only.
@main
struct RadioServices {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("Usage: RadioServices PROVIDER < DOMAINS")
            exit(64)
        }
        guard let provider = try? Issuer(CommandLine.arguments[1]) else {
            print("\(CommandLine.arguments[1]) is no base URL of a provider, as in https://id.example.com/cpa.")
            exit(64)
        }
        var services: [any ApplicationProtocol] = []
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, let domain = Domain(parsing: words[0]) else { continue }
            let credential = ServiceCredential(revealing: words[1])
            services.append(try service(for: domain, of: provider, credential: credential))
        }
        try await withThrowingTaskGroup(of: Void.self) { running in
            for service in services { running.addTask { try await service.runService() } }
            try await running.waitForAll()
        }
    }

    /// One service, on the port that its domain names.
    static func service(
        for domain: Domain,
        of provider: Issuer,
        credential: ServiceCredential
    ) throws -> any ApplicationProtocol {
        let checker = try CrossPlatformChecker(at: provider, for: domain, credential: credential)
        let challenge = CrossPlatformChallenge(name: "Radio ID", uri: provider.text, modes: [.client, .user])
        let guarded = ResourceGuard<BasicResourceRequestContext>(
            checking: checker, challenge: .crossPlatform(challenge), clock: .system)

        let router = Router(context: BasicResourceRequestContext.self)
        router.group("now").add(middleware: guarded).get { _, context in
            let token = try context.requireToken()
            return "\(domain) plays a song for \(token.displayName ?? "everybody")\n"
        }
        router.group("favourites").add(middleware: guarded.requiringPerson()).get { _, context in
            // Keep what belongs to a person under this name: it stays, whatever they are called.
            let person = try context.requireToken().person
            return "The favourites of \(person?.rawValue ?? "nobody") at \(domain)\n"
        }

        let parts = domain.rawValue.split(separator: ":")
        let port = parts.count == 2 ? Int(parts[1]) ?? 80 : 80
        return Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname(String(parts[0]), port: port)))
    }
}
