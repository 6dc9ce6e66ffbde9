import AsyncHTTPClient
import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import Testing

/// Standard: RFC 5849.
@Suite("Signatures of OAuth 1", .timeLimit(.minutes(10)))
struct OAuth1SignaturesTests {
    private static let count = 2000
    private static let client = ClientCredentials(
        client: ClientID("client-key"), secret: OAuth1Secret(revealing: "client secret &=+%~é"))
    private static let stranger = ClientCredentials(
        client: ClientID("client-key"), secret: OAuth1Secret(revealing: "another"))
    private static let token = TokenCredentials(
        token: OAuth1Token("token-key"), secret: OAuth1Secret(revealing: "token*secret/ü"))

    /// The client's RSA key, which the other program makes: for us to sign by, and for our verifier.
    private struct ClientKey: Sendable {
        let signing: OAuth1SigningKey
        let published: JSONWebKey

        /// Reads `modulus` as text safe for addresses, and a PEM with `|` at the ends of its lines.
        init?(modulus: Substring, pem: Substring) {
            guard let bytes = URLSafeText.decode(modulus),
                let signing = OAuth1SigningKey(pem: String(pem).replacing("|", with: "\n"))
            else { return nil }
            self.signing = signing
            published = .rsa(id: JSONWebKey.ID("client"), modulus: bytes, exponent: [1, 0, 1])
        }
    }

    @Test func `are those of oauthlib by every method, both ways, over thousands of random requests`() async throws {
        let key = NIOLockedValueBox<ClientKey?>(nil)
        let methods = Set(OAuth1SignatureMethod.allCases)
        let verifier = OAuth1Verifier(accepting: methods, clock: .system) { client, token in
            guard client == Self.client.client else { return nil }
            return OAuth1VerificationKeys(
                clientSecret: Self.client.secret,
                publicKey: key.withLockedValue { $0?.published },
                tokenSecret: token == Self.token.token ? Self.token.secret : nil
            )
        }
        try await Self.serving(verifier) { host in
            let ended = try await PythonProgram(name: "signatures_with_oauthlib").run(
                with: ["JOURNEY_HOST": host, "JOURNEY_COUNT": String(Self.count)],
                advancing: { _ in },
                answering: { line in
                    if let made = line.wholeMatch(of: /key (\S+) (.+)/) {
                        let read = ClientKey(modulus: made.1, pem: made.2)
                        key.withLockedValue { $0 = read }
                        return read == nil ? "not a key" : "known"
                    }
                    guard let host = line.wholeMatch(of: /listening (.+)/)?.1,
                        let known = key.withLockedValue(\.self)
                    else { return nil }
                    return await Self.sendSigned(to: String(host), by: known.signing)
                }
            )
            #expect(ended.status == 0, "\(ended.output)")
        }
    }

    /// Runs `body` while a server verifies every request that it gets.
    private static func serving(
        _ verifier: OAuth1Verifier,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let router = Router()
        let answer = { @Sendable (request: Request) async -> Response in
            let bytes = (try? await request.body.collect(upTo: 1 << 20)).map { Array($0.readableBytesView) } ?? []
            do {
                let scheme = request.headers[Self.scheme] ?? "http"
                let address = "\(scheme)://\(request.head.authority ?? "")\(request.uri.string)"
                let type = request.headers[.contentType]
                let received = try OAuth1Request(request.method, address, type: type, body: bytes)
                _ = try await verifier.verify(received, authorization: request.headers[.authorization])
                return Response(status: .ok)
            } catch let refusal as OAuth1Error {
                let reason = ResponseBody(byteBuffer: ByteBuffer(string: refusal.description))
                return Response(status: refusal.status, body: reason)
            } catch {
                return Response(status: .internalServerError)
            }
        }
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            router.on("/", method: method) { request, _ in await answer(request) }
            router.on("**", method: method) { request, _ in await answer(request) }
        }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in listening.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "signatures") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                try await body("127.0.0.1:\(port)")
                break
            }
            group.cancelAll()
        }
    }

    /// The header field that tells a server that the proxy in front of it was asked over TLS.
    private static let scheme = HTTPField.Name("X-Forwarded-Proto")!

    /// Sends requests that we have signed, and each of them changed; says how many were accepted and refused.
    private static func sendSigned(to host: String, by key: OAuth1SigningKey) async -> String {
        let signings: [OAuth1Signer.Signing] = [.hmacSHA1, .hmacSHA256, .rsaSHA1(key), .rsaSHA256(key), .plaintext]
        let random = SeededRandom(seed: 351)
        var (accepted, refused) = (0, 0)
        for number in 0..<count {
            let method = [HTTPRequest.Method.get, .post, .put, .delete][number % 4]
            let isForm = method == .post || method == .put
            let signing = signings[number % signings.count]
            let isPlain = signing.method == .plaintext
            let signer = { (client: ClientCredentials) in
                OAuth1Signer(
                    as: client,
                    for: number % 3 == 0 ? nil : token,
                    by: signing,
                    clock: .system,
                    drawingFrom: .system
                )
            }
            let query = OAuth1Parameter.encoded(parameters(random, number))
            let scheme = isPlain || number % 7 == 0 ? "https" : "http"
            let path = number % 4 == 0 ? "a;v=1/%7E\(number);b;c=\(number)" : "a/%7E\(number)"
            let address = "\(scheme)://\(host)/\(path)" + (query.isEmpty ? "" : "?\(query)")
            guard
                let request = try? OAuth1Request(
                    method, address, form: isForm ? parameters(random, number + 1) : []),
                let signed = try? signer(client).sign(request, realm: number % 11 == 0 ? "Photos" : nil),
                let wrong = isPlain ? (try? signer(stranger).sign(request)) : signed
            else { return "not signed: \(address)" }
            let place = number / 4 % (isForm ? 3 : 2)
            let send = { (signed: SignedOAuth1Request, added: String) in
                let target = place == 1 ? signed.address : address
                let body = isForm ? (place == 2 ? signed.form : OAuth1Parameter.encoded(request.form)) : nil
                let header = place == 0 ? signed.header : nil
                let changed = added.isEmpty ? target : target + (target.contains("?") ? "&" : "?") + added
                return await status(method, changed, body, header)
            }
            if await send(signed, "") == 200 { accepted += 1 }
            // PLAINTEXT signs the secrets alone.
            if await isPlain ? send(wrong, "") == 401 : send(signed, "added=1") == 401 { refused += 1 }
        }
        return "accepted \(accepted), refused \(refused)"
    }

    private static func parameters(_ random: SeededRandom, _ seed: Int) -> [OAuth1Parameter] {
        let alphabet = Array("abcXYZ019-._~ !\"#$%&'()*+,/:;<=>?@[]^`{|}äß€山🦉")
        let word = {
            String(
                random.source.bytes(Int(random.source.bytes(1)[0]) % 7 + 1).map { alphabet[Int($0) % alphabet.count] })
        }
        var parameters = (0..<(seed % 5)).map { _ in OAuth1Parameter(word(), seed % 7 == 0 ? "" : word()) }
        if let first = parameters.first, seed % 3 == 0 { parameters += [first, OAuth1Parameter(first.name, word())] }
        return parameters
    }

    private static func status(_ method: HTTPRequest.Method, _ address: String, _ body: String?, _ header: String?)
        async -> UInt?
    {
        // Requests signed for https are sent to the proxy's side of the server.
        var request = HTTPClientRequest(url: address.replacing("https://", with: "http://", maxReplacements: 1))
        request.method = HTTPMethod(rawValue: method.rawValue)
        request.headers.add(name: scheme.rawName, value: address.hasPrefix("https://") ? "https" : "http")
        if let body {
            request.body = .bytes(ByteBuffer(string: body))
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        }
        if let header { request.headers.add(name: "Authorization", value: header) }
        guard let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(30)) else { return nil }
        _ = try? await answer.body.collect(upTo: 1024)
        return answer.status.code
    }
}
