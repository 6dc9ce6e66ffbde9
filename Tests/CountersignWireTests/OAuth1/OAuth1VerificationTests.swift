import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Testing

@testable import CountersignWire

/// Standard: RFC 5849 §3.1 to §3.5.
@Suite("Verification of OAuth 1")
struct OAuth1VerificationTests {
    private let clock = ManualClock()
    private let keys = OAuth1VerificationKeys(
        clientSecret: RFC5849.client.secret,
        publicKey: OAuth1VerificationTests.publicKey,
        tokenSecret: RFC5849.token.secret
    )
    private static var publicKey: JSONWebKey {
        JSONWebKey.rsa(
            id: JSONWebKey.ID("a"), modulus: URLSafeText.decode(OAuth1Computed.modulus) ?? [], exponent: [1, 0, 1])
    }
    private static let all = Set(OAuth1SignatureMethod.allCases)
    private static let signings: [OAuth1Signer.Signing] = {
        let key = OAuth1SigningKey(pem: OAuth1Computed.pem)
        return [.hmacSHA1, .hmacSHA256, .plaintext] + (key.map { [.rsaSHA1($0), .rsaSHA256($0)] } ?? [])
    }()

    private func signed(
        _ address: String = "https://photos.example.net/photos?size=original&size=&size=a+b",
        by signing: OAuth1Signer.Signing = .hmacSHA256,
        token: TokenCredentials? = RFC5849.token
    ) throws -> SignedOAuth1Request {
        let signer = OAuth1Signer(
            as: RFC5849.client, for: token, by: signing, clock: clock.source, drawingFrom: SeededRandom(seed: 7).source)
        return try signer.sign(OAuth1Request(.post, address, form: [OAuth1Parameter("täg", "*~ +")]), realm: "Photos")
    }

    /// The request as a server receives it with the parameters at `placement`.
    private func received(
        _ signed: SignedOAuth1Request,
        at placement: UnverifiedOAuth1Request.Placement = .header
    ) throws -> UnverifiedOAuth1Request {
        let form = "application/x-www-form-urlencoded"
        let plain = OAuth1Parameter.encoded(signed.request.form)
        let query = OAuth1Parameter.encoded(signed.request.query)
        let address = placement == .query ? signed.address : "\(signed.request.baseURI)?\(query)"
        let body = placement == .form ? signed.form : plain
        return try UnverifiedOAuth1Request(
            OAuth1Request(signed.request.method, address, type: form, body: Array(body.utf8)),
            authorization: placement == .header ? signed.header : nil
        )
    }

    private func code(_ body: () throws -> Void) -> OAuth1Error.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? OAuth1Error)?.code
        }
    }

    @Test(arguments: UnverifiedOAuth1Request.Placement.allCases, signings)
    func `accepts every method at every place`(
        placement: UnverifiedOAuth1Request.Placement,
        signing: OAuth1Signer.Signing
    ) throws {
        let unverified = try received(signed(by: signing), at: placement)
        #expect(unverified.placement == placement)
        #expect(unverified.realm == (placement == .header ? "Photos" : nil))
        let verified = try unverified.verified(by: keys, accepting: Self.all, at: clock.date)
        #expect(verified.client == RFC5849.client.client && verified.token == RFC5849.token.token)
        #expect(verified.method == signing.method)
    }

    @Test(arguments: signings)
    func `refuses another secret, token secret, method, address and parameter`(signing: OAuth1Signer.Signing) throws {
        let other = OAuth1Secret(revealing: "other")
        let wrongKeys = [
            OAuth1VerificationKeys(clientSecret: other, publicKey: nil, tokenSecret: RFC5849.token.secret),
            OAuth1VerificationKeys(clientSecret: RFC5849.client.secret, publicKey: Self.publicKey, tokenSecret: nil),
            OAuth1VerificationKeys(tokenSecret: RFC5849.token.secret),
        ]
        for keys in wrongKeys {
            let unverified = try received(signed(by: signing))
            let refused = code { _ = try unverified.verified(by: keys, accepting: Self.all, at: clock.date) }
            #expect(refused == .unauthorized)
        }
        let unknown = try received(signed(by: signing))
        #expect(code { _ = try unknown.verified(by: nil, accepting: Self.all, at: clock.date) } == .unauthorized)
        let others = Self.all.subtracting([signing.method])
        #expect(code { _ = try unknown.verified(by: keys, accepting: others, at: clock.date) } == .unsupported)
        guard signing.method != .plaintext else { return try refusesPlaintextWithoutTLS() }
        let made = try signed(by: signing)
        for address in ["https://photos.example.net/photos?size=original", "https://photos.example.net/"] {
            let moved = try UnverifiedOAuth1Request(OAuth1Request(.post, address), authorization: made.header)
            #expect(code { _ = try moved.verified(by: keys, accepting: Self.all, at: clock.date) } == .unauthorized)
        }
        let get = try UnverifiedOAuth1Request(
            OAuth1Request(.get, made.request.baseURI), authorization: made.header)
        #expect(code { _ = try get.verified(by: keys, accepting: Self.all, at: clock.date) } == .unauthorized)
    }

    private func refusesPlaintextWithoutTLS() throws {
        let made = try signed(by: .plaintext)
        let open = try UnverifiedOAuth1Request(
            OAuth1Request(.post, "http://photos.example.net/photos"), authorization: made.header)
        #expect(code { _ = try open.verified(by: keys, accepting: Self.all, at: clock.date) } == .unsupported)
    }

    @Test func `has no secret for a client that has a key alone`() throws {
        let empty = ClientCredentials(client: RFC5849.client.client, secret: OAuth1Secret(revealing: ""))
        let signer = OAuth1Signer(
            as: empty, by: .hmacSHA1, clock: clock.source, drawingFrom: SeededRandom(seed: 1).source)
        let forged = try received(signer.sign(OAuth1Request(.get, "https://photos.example.net/")))
        let keys = OAuth1VerificationKeys(publicKey: Self.publicKey)
        #expect(code { _ = try forged.verified(by: keys, accepting: Self.all, at: clock.date) } == .unauthorized)
    }

    @Test(arguments: [(-301.0, false), (-300, true), (0, true), (300, true), (301, false)])
    func `accepts requests of about now`(offset: Double, isAccepted: Bool) throws {
        let unverified = try received(signed())
        let refused = code { _ = try unverified.verified(by: keys, accepting: Self.all, at: clock.date + offset) }
        #expect(refused == (isAccepted ? nil : .staleTimestamp))
    }

    @Test func `accepts each request once`() async throws {
        let verifier = OAuth1Verifier(accepting: Self.all, clock: clock.source) { [keys] client, _ in
            client == RFC5849.client.client ? keys : nil
        }
        let made = try signed()
        _ = try await verifier.verify(made.request, authorization: made.header)
        await #expect(throws: OAuth1Error(.usedNonce, because: "")) {
            try await verifier.verify(made.request, authorization: made.header)
        }
    }

    @Test func `remembers a bounded number, and gets stricter when it is full`() throws {
        var memory = OAuth1NonceMemory(capacity: 10)
        let random = SeededRandom(seed: 9).source
        let signer = OAuth1Signer(as: RFC5849.client, clock: clock.source, drawingFrom: random)
        func verified() throws -> VerifiedOAuth1Request {
            try received(signer.sign(OAuth1Request(.get, "https://photos.example.net/")))
                .verified(by: keys, accepting: Self.all, at: clock.date)
        }
        let first = try verified()
        try memory.use(first, at: clock.date)
        for _ in 0..<100 {
            clock.advance(by: .seconds(60))
            try memory.use(verified(), at: clock.date)
            #expect(memory.count <= 20)
        }
        #expect(code { try memory.use(first, at: clock.date) } == .staleTimestamp)
    }

    @Test(arguments: [
        "oauth_consumer_key", "oauth_signature_method", "oauth_signature", "oauth_timestamp", "oauth_nonce",
    ])
    func `needs every parameter, once`(name: String) throws {
        let made = try signed()
        let request = made.request
        let without = OAuth1Header(made.parameters.filter { $0.name != name })
        #expect(code { _ = try UnverifiedOAuth1Request(request, authorization: without.text) } == .malformed)
        let empty = OAuth1Header(without.parameters + [OAuth1Parameter(name, "")])
        #expect(code { _ = try received(empty, of: request) } != nil)
        let form = made.parameters + made.parameters.filter { $0.name == name }
        let twice = try OAuth1Request(.post, "https://photos.example.net/", form: form)
        #expect(code { _ = try UnverifiedOAuth1Request(twice, authorization: nil) } == .malformed)
        let apart = try OAuth1Request(.post, "https://photos.example.net/?\(name)=x")
        #expect(code { _ = try UnverifiedOAuth1Request(apart, authorization: made.header) } == .malformed)
    }

    private func received(_ header: OAuth1Header, of request: OAuth1Request) throws -> VerifiedOAuth1Request {
        try UnverifiedOAuth1Request(request, authorization: header.text)
            .verified(by: keys, accepting: Self.all, at: clock.date)
    }

    @Test(arguments: [
        ("oauth_version", "1.1", OAuth1Error.Code.unsupported), ("oauth_signature_method", "HMAC-MD5", .unsupported),
        ("oauth_timestamp", "-1", .malformed), ("oauth_timestamp", "0", .malformed),
        ("oauth_timestamp", "1e9", .malformed), ("oauth_timestamp", "99999999999999999999", .malformed),
        ("oauth_nonce", String(repeating: "n", count: 257), .malformed),
    ])
    func `refuses parameters that mean nothing`(name: String, value: String, refusal: OAuth1Error.Code) throws {
        let made = try signed()
        let changed = OAuth1Header(made.parameters.filter { $0.name != name } + [OAuth1Parameter(name, value)])
        #expect(code { _ = try UnverifiedOAuth1Request(made.request, authorization: changed.text) } == refusal)
    }

    @Test func `needs no nonce by PLAINTEXT, and reads the header of §2.1`() throws {
        let request = try OAuth1Request(.post, "https://server.example.com/request_temp_credentials")
        let unverified = try UnverifiedOAuth1Request(request, authorization: RFC5849.plaintextHeader)
        #expect(unverified.callback == "http://client.example.net/cb?x=1")
        let keys = OAuth1VerificationKeys(clientSecret: OAuth1Secret(revealing: "ja893SD9"))
        let verified = try unverified.verified(by: keys, accepting: [.plaintext], at: clock.date)
        var memory = OAuth1NonceMemory()
        try memory.use(verified, at: clock.date)
        try memory.use(verified, at: clock.date)
        #expect(memory.count == 0)
    }

    @Test func `finds nothing in a request of another scheme`() throws {
        let request = try OAuth1Request(.get, RFC5849.photo)
        #expect(code { _ = try UnverifiedOAuth1Request(request, authorization: "Bearer abc") } == .malformed)
        #expect(code { _ = try UnverifiedOAuth1Request(request, authorization: nil) } == .malformed)
    }

    @Test func `answers by the standard's status`() {
        #expect(OAuth1Error(.malformed, because: "").status == .badRequest)
        #expect(OAuth1Error(.usedNonce, because: "").status == .unauthorized)
    }
}
