import CountersignRequester
import Foundation

/// A radio that listens to a service of `RadioServices`, as itself or for a person:
///
///     swift run RadioListener 127.0.0.1:8001 /tmp/radio
///     swift run RadioListener 127.0.0.1:8001 /tmp/radio person
///     swift run RadioListener 127.0.0.1:8002 /tmp/radio person renew banner
///
/// The first word is the service's domain, the second a directory for the radio's identity and tokens. `person` asks
/// for a person's token, `renew` for a new one although one is kept, and `banner` shows the code in another way.
@main
struct RadioListener {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let domain = Domain(parsing: words[0]) else {
            print("Usage: RadioListener DOMAIN DIRECTORY [person] [renew] [banner]")
            exit(64)
        }
        do {
            try await listen(to: domain, keepingTokensIn: words[1], options: Set(words.dropFirst(2)))
        } catch let error as SignInError {
            print("It did not work: \(error.sentence) (\(error.code.rawValue))")
            exit(1)
        } catch {
            print("It did not work: \(error)")
            exit(1)
        }
    }

    static func listen(to domain: Domain, keepingTokensIn directory: String, options: Set<String>) async throws {
        // The service itself says which provider its tokens come from.
        let refused = try await ask(domain, with: nil)
        guard let challenge = CrossPlatformChallenge(in: refused.response.headerFields) else {
            print("\(domain) does not say where its tokens come from.")
            exit(1)
        }
        print("\(domain) takes tokens of \(challenge.name).")

        let provider = CrossPlatformProvider(
            at: try challenge.address(),
            as: ClientRegistrationRequest(
                clientName: "Radio listener", softwareID: "org.example.radio-listener", softwareVersion: "1.0"),
            keepingTokensIn: SealedFileTokenStore(directory: directory)
        )
        let before = try await provider.token(for: domain)
        let token = try await provider.requestToken(
            for: domain,
            ofType: options.contains("person") ? .user : .client,
            presenting: options.contains("banner") ? BannerPresentation() : PlainPresentation(),
            renewing: options.contains("renew") ? .always : .ifNeeded
        )
        print("The token is \(token.type == .user ? "that of \(token.userName ?? "")" : "the radio's own").")
        if let before { print("It is \(before.accessToken == token.accessToken ? "the one before" : "a new one").") }

        let answer = try await ask(domain, with: token.accessToken)
        print(String(decoding: answer.body, as: UTF8.self), terminator: "")
    }

    /// The answer of a service at `/now` to a request with this token.
    private static func ask(_ domain: Domain, with token: AccessToken?) async throws -> HTTPAnswer {
        var request = HTTPRequest(method: .get, scheme: "http", authority: domain.rawValue, path: "/now")
        if let token { request.headerFields[.authorization] = BearerHeader.value(for: token) }
        return try await AsyncHTTPTransport().send(request, body: [], within: .seconds(10))
    }
}

/// One line that says where to go.
struct PlainPresentation: SignInPresentation {
    func show(_ page: SignInPage) async {
        let code = page.invitation.userCode.map { " and type \($0.rawValue)" } ?? ""
        print("Go to \(page.invitation.verificationURI.absoluteString)\(code).")
        fflush(nil)
    }

    func replace(with page: SignInPage) async { await show(page) }
    func dismiss() async { print("Thank you.") }
}

/// The code, large.
struct BannerPresentation: SignInPresentation {
    func show(_ page: SignInPage) async {
        let text = page.invitation.userCode?.rawValue.map(String.init).joined(separator: " ") ?? "Please confirm"
        let rule = String(repeating: "*", count: text.count + 6)
        print("\(rule)\n*  \(text)  *\n\(rule)\n\(page.invitation.verificationURI.absoluteString)")
        fflush(nil)
    }

    func replace(with page: SignInPage) async { await show(page) }
    func dismiss() async { print("* * *") }
}
