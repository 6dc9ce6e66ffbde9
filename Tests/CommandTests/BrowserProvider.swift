import AsyncHTTPClient
import CommandFixture
import Countersign
import CountersignWire
import Crypto
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import Testing

/// A provider of OpenID Connect on a port of this machine, and a program in place of a browser, which a test moves.
final class BrowserProvider: Sendable {
    private struct State {
        var base = ""
        var redeemed: [[String: String]] = []
        var hasAuthorization = true
        var givesCodes = false
        var pushes = false
        var pushed: [[String: String]] = []
        var codesGiven = 0
        var answerToCode: ProviderOnPort.Answer?
    }

    let command: CommandUnderTest
    private let key = P256.Signing.PrivateKey()
    private let state = NIOLockedValueBox(State())

    /// The client that it knows.
    private let client: String

    init(knowing client: String = "terminal") {
        self.client = client
        do {
            command = try CommandUnderTest()
        } catch {
            preconditionFailure("no directory: \(error)")
        }
    }

    var base: String { state.withLockedValue(\.base) }
    /// The token requests that were made.
    var redeemed: [[String: String]] { state.withLockedValue(\.redeemed) }

    /// Whether it has an endpoint for pushed requests, which it does not demand.
    var pushes: Bool {
        get { state.withLockedValue(\.pushes) }
        set { state.withLockedValue { $0.pushes = newValue } }
    }
    /// Whether it has an endpoint for codes that are approved elsewhere.
    var givesCodes: Bool {
        get { state.withLockedValue(\.givesCodes) }
        set { state.withLockedValue { $0.givesCodes = newValue } }
    }
    /// The answer to a code in place of tokens; `nil` for tokens.
    var answerToCode: ProviderOnPort.Answer? {
        get { state.withLockedValue(\.answerToCode) }
        set { state.withLockedValue { $0.answerToCode = newValue } }
    }
    /// The requests that were pushed.
    var pushed: [[String: String]] { state.withLockedValue(\.pushed) }
    /// The count of requests for a code for another screen.
    var codesGiven: Int { state.withLockedValue(\.codesGiven) }

    /// Starts a line of the command whose browser is the test, and runs `body` when a page was opened.
    func run(_ line: String, _ body: @Sendable (RunningCommand, MovedBrowser) async throws -> Void) async throws {
        try await ProviderOnPort.with(answer) { provider in
            state.withLockedValue { $0.base = provider.base }
            let line = line.replacing("ISSUER", with: provider.base)
            let running = try await MovedBrowser.start(line, in: command)
            let browser = try await MovedBrowser.opened(by: running, in: command, at: provider.base)
            try await body(running, browser)
        }
    }

    /// Runs `body` while the provider answers.
    func run(_ body: (_ base: String) async throws -> Void) async throws {
        try await ProviderOnPort.with(answer) { provider in
            state.withLockedValue { $0.base = provider.base }
            try await body(provider.base)
        }
    }

    /// Runs a line of the command to its end on a desktop whose browser does not open.
    func runWithoutBrowser(_ line: String, hasAuthorization: Bool = true) async throws -> CommandUnderTest.Outcome {
        _ = try await command.run(#"mkdir bin && printf '#!/bin/sh\nexit 3\n' > bin/xdg-open && chmod +x bin/xdg-open"#)
        state.withLockedValue { $0.hasAuthorization = hasAuthorization }
        var outcome: CommandUnderTest.Outcome?
        try await ProviderOnPort.with(answer) { provider in
            state.withLockedValue { $0.base = provider.base }
            let line = line.replacing("ISSUER", with: provider.base)
            outcome = try await command.run("export PATH=$PWD/bin:$PATH DISPLAY=:9; countersign \(line)")
        }
        return try #require(outcome)
    }

    private var answer: @Sendable (ProviderOnPort.Asked) -> ProviderOnPort.Answer {
        { asked in
            switch asked.path {
            case "/.well-known/oauth-authorization-server": self.metadata
            case "/jwks": self.keys
            case "/device_authorization":
                self.state.withLockedValue { state in
                    state.codesGiven += 1
                    return .code(at: state.base)
                }
            case "/par": self.stored(asked.members)
            case "/token": self.tokens(for: asked.members)
            default: ProviderOnPort.Answer(status: 404, body: "{}")
            }
        }
    }

    private var metadata: ProviderOnPort.Answer {
        var metadata = AuthorizationServerMetadata(issuer: base)
        if state.withLockedValue(\.hasAuthorization) { metadata.authorizationEndpoint = "\(base)/authorize" }
        metadata.tokenEndpoint = "\(base)/token"
        if givesCodes { metadata.deviceAuthorizationEndpoint = "\(base)/device_authorization" }
        metadata.keysURI = "\(base)/jwks"
        metadata.endSessionEndpoint = "\(base)/end_session"
        if pushes { metadata.pushedAuthorizationRequestEndpoint = "\(base)/par" }
        return .json(metadata)
    }

    private func stored(_ members: [String: String]) -> ProviderOnPort.Answer {
        state.withLockedValue { $0.pushed.append(members) }
        return ProviderOnPort.Answer(status: 201, body: #"{"request_uri":"urn:example:1","expires_in":60}"#)
    }

    private var keys: ProviderOnPort.Answer {
        let bytes = Array(key.publicKey.rawRepresentation)
        let own = JSONWebKey.p256(id: JSONWebKey.ID("a-key"), x: bytes.prefix(32), y: bytes.suffix(32))
        return .json(JSONWebKeySet(keys: [own]))
    }

    private func tokens(for body: [String: String]) -> ProviderOnPort.Answer {
        guard body["grant_type"] == "authorization_code" else {
            return .json(TokenResponse(accessToken: AccessToken(revealing: "access-2"), expiresIn: 300))
        }
        let base = state.withLockedValue { state in
            state.redeemed.append(body)
            return state.base
        }
        if let answerToCode { return answerToCode }
        // The answer belongs to the request that was opened or pushed last.
        let opened = try? String(contentsOf: command.home.appendingPathComponent("opened"), encoding: .utf8)
        let nonce =
            opened.flatMap { try? MovedBrowser(opened: $0, by: base) }?.parameters["nonce"]
            ?? pushed.last?["nonce"]
        let now = Int(Date().timeIntervalSince1970)
        var claims = IDTokenClaims(
            issuer: base,
            subject: Subject("anna-1"),
            audience: Audience([client]),
            expires: now + 900,
            issued: now
        )
        claims.name = "Anna Example"
        claims.preferredUsername = "anna"
        claims.nonce = nonce
        let token = try? CompactJWS.text(
            header: Array(#"{"alg":"ES256","kid":"a-key","typ":"JWT"}"#.utf8),
            payload: Array(JSONEncoder().encode(claims)),
            signedBy: { Array(try self.key.signature(for: $0).rawRepresentation) }
        )
        return .json(
            TokenResponse(
                accessToken: AccessToken(revealing: "access-1"),
                expiresIn: 300,
                idToken: token.map(UnverifiedIDToken.init(revealing:))
            )
        )
    }
}

extension ProviderOnPort.Answer {
    static func json(_ message: some Encodable) -> Self {
        let body = (try? JSONEncoder().encode(message)) ?? Data()
        return Self(status: 200, body: String(decoding: body, as: UTF8.self))
    }
}

/// The address that the browser was opened with, and the way back.
struct MovedBrowser: Sendable {
    let address: String
    let issuer: String

    init(opened address: String, by issuer: String) throws {
        self.address = address
        self.issuer = try #require(issuer.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    /// Starts a line of the command on a machine whose browser is the test.
    static func start(_ line: String, in command: CommandUnderTest) async throws -> RunningCommand {
        _ = try await command.run(
            #"printf '#!/bin/sh\nprintf %%s "$1" > "$HOME/opened.new"; mv "$HOME/opened.new" "$HOME/opened"' > b && chmod +x b"#
        )
        return try command.start("export BROWSER=$HOME/b; exec countersign \(line)")
    }

    /// The browser, once a page was opened.
    static func opened(
        by running: RunningCommand,
        in command: CommandUnderTest,
        at issuer: String
    ) async throws -> MovedBrowser {
        let opened = command.home.appendingPathComponent("opened")
        _ = try await running.printed { _ in FileManager.default.fileExists(atPath: opened.path) }
        return try MovedBrowser(opened: String(contentsOf: opened, encoding: .utf8), by: issuer)
    }

    var parameters: [String: String] {
        let items = URLComponents(string: address)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    var state: String { parameters["state"] ?? "" }

    /// Opens the redirect URI with a query.
    func comeBack(
        _ query: String,
        to path: String = "/callback",
        at address: String? = nil,
        host: String? = nil
    ) async throws -> (status: UInt, body: String) {
        let redirect = try #require(address ?? parameters["redirect_uri"])
        let url = redirect.replacing("/callback", with: "\(path)?\(query)")
        var request = HTTPClientRequest(url: url)
        if let host { request.headers.replaceOrAdd(name: "Host", value: host) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }
}
