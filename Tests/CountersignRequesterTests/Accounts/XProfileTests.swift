import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

/// The network of an app that believes to speak with X: what it sends to X's own hosts goes to the fake provider.
private struct NetworkWithX: HTTPTransport {
    let base: String
    let network = SystemTransport.make()

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        var request = request
        guard request.scheme == "https", request.authority == "api.x.com" else {
            throw TransportError(.notReached, because: "no host of X's interface: \(request.authority ?? "none")")
        }
        request.scheme = "http"
        request.authority = String(base.dropFirst("http://".count))
        return try await network.send(request, body: body, within: limit)
    }
}

/// An app that signs in at X by ``AccountSource/x``, with X's own addresses.
private struct AppAtX {
    static let client = ClientID("recipes")
    static let redirect = "com.example.recipes:/signed-in"

    let clock = ManualClock()
    let opener = ScriptedOpener(apps: ["https:"])
    let x: TwitterProvider
    let signIn: AppToAppSignIn
    let profile: XProfile
    let network: LimitedTransport

    init(secret: ClientSecret? = nil, asking scope: Scope? = nil) async throws {
        guard case .provider(let provider, let usual) = AccountSource.x.way else { throw CancellationError() }
        x = try await TwitterProvider.start(clock: clock.source, drawingFrom: SeededRandom(seed: 5).source)
        x.register(Self.client, secret: secret, returningTo: [Self.redirect])
        var options = AppToAppOptions()
        options.network.attempts = 1
        network = LimitedTransport(NetworkWithX(base: x.base))
        signIn = AppToAppSignIn(
            at: provider,
            as: Self.client,
            secret: secret,
            returningTo: AppRedirects(native: Self.redirect),
            for: scope ?? usual,
            opening: opener,
            keepingTokensIn: MemoryTokenStore(),
            options: options,
            in: RequesterContext(over: network, clock: clock.skipping, random: SeededRandom(seed: 6).source)
        )
        profile = XProfile(within: .seconds(60), over: network)
    }

    /// The address that the app opens, and what comes of the answer to it.
    func answer() async throws -> AuthorizationAnswer<CodeCompletion> {
        _ = try await signIn.start()
        let opened = try #require(opener.opened.last)
        return try await signIn.finish(with: x.answer(to: opened.absoluteString))
    }

    func signedIn() async throws -> CompletedSignIn {
        guard case .granted(let completion) = try await answer() else { throw CancellationError() }
        return try #require(completion.signedIn)
    }
}

@Suite("A sign-in at X")
struct XProfileTests {
    @Test(arguments: [nil, ClientSecret(revealing: "secret")])
    func `gives tokens by PKCE, and the profile says who it was`(secret: ClientSecret?) async throws {
        let app = try await AppAtX(secret: secret)
        let signedIn = try await app.signedIn()
        let opened = try #require(app.opener.opened.last)
        #expect(opened.absoluteString.hasPrefix("https://x.com/i/oauth2/authorize?"))
        #expect(opened.parameters["code_challenge_method"] == "S256" && opened.parameters["state"]?.isEmpty == false)
        #expect(signedIn.identity == nil && signedIn.refreshToken == nil)
        #expect(signedIn.expires == app.clock.date + 7200)
        let person = try await app.profile.person(of: signedIn)
        #expect(person.id == "9007199254740993" && person.name == "Anna Müller 🦉" && person.username == "anna")
        #expect(person.avatar == "https://pbs.twimg.example/profile_images/1/owl_400x400.jpeg")
        #expect(app.x.received.map(\.path) == ["/2/oauth2/token", "/2/users/me"])
        await app.x.stop()
    }

    @Test func `can be denied`() async throws {
        let app = try await AppAtX()
        app.x.isDenying = true
        #expect(try await app.answer() == .denied)
        await app.x.stop()
    }

    @Test func `redeems a code once, and with its own verifier only`() async throws {
        let app = try await AppAtX()
        _ = try await app.signIn.start()
        let address = try #require(app.opener.opened.last).absoluteString
        let location = try app.x.answer(to: address)
        let code = try #require(URL(string: location)?.parameters["code"])
        var form = Form()
        form["grant_type"] = "authorization_code"
        form["code"] = code
        form["client_id"] = AppAtX.client.rawValue
        form["redirect_uri"] = AppAtX.redirect
        form["code_verifier"] = String(repeating: "a", count: 43)
        let endpoint = try Endpoint("https://api.x.com/2/oauth2/token")
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let network = NetworkWithX(base: app.x.base)
        let answer = try await network.send(request, body: Array(form.encoded.utf8), within: .seconds(60))
        #expect(answer.response.status == .badRequest)
        guard case .granted(let completion) = try await app.signIn.finish(with: location) else {
            Issue.record("not granted")
            return
        }
        #expect(completion.signedIn == nil)
        await app.x.stop()
    }

    @Test(arguments: [
        ProviderFault.reset, .silence, .status(401), .status(429), .status(503), .badUTF8, .huge, .truncated,
        .missing("access_token"),
    ])
    func `fails with one error when no tokens come`(fault: ProviderFault) async throws {
        let app = try await AppAtX()
        app.x.fail(at: .token, with: fault)
        app.network.expect(fault)
        guard case .granted(let completion) = try await app.answer(), case .failed = completion else {
            Issue.record("no failure for \(fault)")
            return
        }
        await app.x.stop()
    }

    private static let problems = "https://api.twitter.com/2/problems"

    private static func refusal(_ status: Int, _ members: String) -> ProviderFault {
        .answer(status, type: "application/problem+json", body: "{\(members)}")
    }

    @Test(
        arguments: [
            (.reset, .networkFailure, .tryAgain), (.silence, .networkFailure, .tryAgain),
            (.truncated, .networkFailure, .tryAgain), (.badUTF8, .serviceFailure, .useAnotherWay),
            (.huge, .serviceFailure, .useAnotherWay), (.missing("id"), .serviceFailure, .useAnotherWay),
            (.missing("data"), .serviceFailure, .useAnotherWay),
            (.missing("username"), .serviceFailure, .useAnotherWay),
            (.status(401), .tokenRefused, .tryAgain), (.status(403), .serviceFailure, .useAnotherWay),
            (.status(429), .serviceFailure, .tryLater), (.status(503), .serviceFailure, .tryLater),
            (refusal(403, #""type":"\#(problems)/client-forbidden","title":"Forbidden""#), .unconfigured, .changeApp),
            (refusal(403, #""type":"\#(problems)/usage-capped","title":"Capped""#), .serviceFailure, .tryLater),
            (refusal(403, #""errors":[{"message":"No."},{"code":64}]"#), .accountSuspended, .askProvider),
            (refusal(403, #""errors":[{"code":326}]"#), .accountLocked, .askProvider),
            (
                .answer(200, type: "application/json", body: #"{"errors":[{"title":"Not Found Error"}]}"#),
                .serviceFailure, .useAnotherWay
            ),
        ] as [(ProviderFault, AccountError.Code, AccountError.NextStep)]
    )
    func `tells what is wrong when X does not say who it was`(
        fault: ProviderFault,
        code: AccountError.Code,
        next: AccountError.NextStep
    ) async throws {
        let app = try await AppAtX()
        let signedIn = try await app.signedIn()
        app.x.fail(at: .bearerProfile, with: fault)
        app.network.expect(fault)
        let problem = await #expect(throws: AccountError.self) { try await app.profile.person(of: signedIn) }
        #expect(problem?.code == code && problem?.nextStep == next && problem?.step == .profile)
        app.x.fail(at: .bearerProfile)
        app.network.expect(nil)
        #expect(try await app.profile.person(of: signedIn).username == "anna")
        await app.x.stop()
    }

    @Test func `needs both rights for the profile, and renews its tokens where that was asked`() async throws {
        let few = try await AppAtX(asking: Scope(parsing: "users.read"))
        let tokens = try await few.signedIn()
        let problem = await #expect(throws: AccountError.self) { try await few.profile.person(of: tokens) }
        #expect(problem?.status == 403)
        await few.x.stop()
        let offline = try await AppAtX(asking: Scope(parsing: "users.read tweet.read offline.access"))
        #expect(try await offline.signedIn().refreshToken != nil)
        await offline.x.stop()
    }
}
