import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Testing

@testable import CountersignWire

/// These tests judge the time of an answer by the work that is done: a signature by a stand-in is found to be right,
/// which takes the whole of it, and is refused nevertheless.
///
/// Standard: RFC 5849 §4.
@Suite("A request of an unknown client of OAuth 1")
struct OAuth1UnknownClientTests {
    private let clock = ManualClock()
    private static let secret = OAuth1Secret(revealing: "of nobody")
    private static var publicKey: JSONWebKey {
        JSONWebKey.rsa(
            id: JSONWebKey.ID("a"), modulus: URLSafeText.decode(OAuth1Computed.modulus) ?? [], exponent: [1, 0, 1])
    }
    private static let key = VerificationKey(publicKey)
    /// Stand-ins whose private halves the test has.
    private static let standIns = OAuth1StandIns(secret: secret, keys: [256: key], other: key)
    private static let signings: [OAuth1Signer.Signing] = {
        let key = OAuth1SigningKey(pem: OAuth1Computed.pem)
        return [.hmacSHA1, .hmacSHA256, .plaintext] + (key.map { [.rsaSHA1($0), .rsaSHA256($0)] } ?? [])
    }()

    private func received(
        by signing: OAuth1Signer.Signing,
        token: TokenCredentials? = TokenCredentials(token: OAuth1Token("t"), secret: secret)
    ) throws -> UnverifiedOAuth1Request {
        let signer = OAuth1Signer(
            as: ClientCredentials(client: ClientID("unknown"), secret: Self.secret),
            for: token,
            by: signing,
            clock: clock.source,
            drawingFrom: SeededRandom(seed: 7).source
        )
        let signed = try signer.sign(OAuth1Request(.get, "https://photos.example.net/photos?size=original"))
        return try UnverifiedOAuth1Request(signed.request, authorization: signed.header)
    }

    private func bytes(_ request: UnverifiedOAuth1Request) throws -> [UInt8] {
        if request.method == .plaintext { return request.signature }
        return try #require(request.presentedBytes)
    }

    @Test(arguments: signings)
    func `is tried to the end by every method`(signing: OAuth1Signer.Signing) throws {
        let tokenSecret = OAuth1Secret(revealing: "of a token")
        // An unknown client, a client without a key of the method's kind, and a token that is not known.
        let lacking: [OAuth1VerificationKeys?] = [
            nil, OAuth1VerificationKeys(),
            signing.method.usesKeyPair
                ? OAuth1VerificationKeys(clientSecret: Self.secret) : OAuth1VerificationKeys(publicKey: Self.publicKey),
            OAuth1VerificationKeys(clientSecret: Self.secret, publicKey: Self.publicKey),
        ]
        for keys in lacking {
            let request = try received(by: signing)
            let presented = try bytes(request)
            let trial = OAuth1TrialKeys.chosen(
                from: keys, for: request, with: presented, insteadOfMissing: Self.standIns)
            #expect(request.isSigned(by: trial, presented) && !trial.areKnown)
            #expect(throws: OAuth1Error(.unauthorized, because: "")) {
                try request.verified(by: keys, accepting: Set(OAuth1SignatureMethod.allCases), at: clock.date)
            }
        }
        let complete = OAuth1VerificationKeys(
            clientSecret: Self.secret, publicKey: Self.publicKey, tokenSecret: tokenSecret)
        let request = try received(by: signing)
        #expect(OAuth1TrialKeys.chosen(from: complete, for: request, with: try bytes(request)).areKnown)
    }

    @Test(arguments: [256, 384, 512, 1024])
    func `is tried by RSA for every usual length of signatures`(length: Int) throws {
        let key = OAuth1StandIns.fixed.key(of: length)
        // A key that the library does not take would be refused at once.
        #expect(key.rsa != nil)
        #expect(key.published.modulus.flatMap(URLSafeText.decode)?.count == length)
    }

    @Test func `is tried by RSA where a client's own key is of another length, or smaller than the signature`() throws {
        let signing = try #require(OAuth1SigningKey(pem: OAuth1Computed.pem))
        let request = try received(by: .rsaSHA256(signing), token: nil)
        let known = OAuth1VerificationKeys(publicKey: Self.publicKey)
        for signature in [[UInt8](repeating: 1, count: 512), Array(repeating: 0xFE, count: 256)] {
            let trial = OAuth1TrialKeys.chosen(from: known, for: request, with: signature)
            #expect(trial.key == OAuth1StandIns.fixed.key(of: signature.count) && !trial.areKnown)
            #expect(!request.isSigned(by: trial, signature))
        }
        let own = OAuth1TrialKeys.chosen(from: known, for: request, with: try bytes(request))
        #expect(own.key == Self.key && own.areKnown)
    }
}
