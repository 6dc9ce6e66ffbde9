import Countersign
import Crypto
import Foundation
import Testing

@testable import CountersignWire

/// Standard: RFC 8291.
@Suite("A push message for its receiver alone")
struct WebPushMessageTests {
    /// Standard: RFC 8291 §5, Appendix A.
    private enum Example {
        static let plaintext = "When I grow up, I want to be a watermelon"
        static let sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let receiver = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let receiverKey =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
        static let keyMaterial = "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg"
        static let message = """
            DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr\
            u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
            """
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(URLSafeText.decode(text)) }

    private func sender() throws -> P256.KeyAgreement.PrivateKey {
        try P256.KeyAgreement.PrivateKey(rawRepresentation: try bytes(Example.sender))
    }

    private func receiver() throws -> WebPushReceiver {
        try #require(WebPushReceiver(restoring: try bytes(Example.receiver) + bytes(Example.secret)))
    }

    @Test func `is that of the standard's example, both ways`() throws {
        let receiver = try receiver()
        let subscription = try #require(
            receiver.subscription(at: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"))
        #expect(URLSafeText.encode(subscription.publicKey) == Example.receiverKey)
        let message = try WebPushMessage.encrypted(
            Array(Example.plaintext.utf8), to: subscription, from: try sender(), salt: try bytes(Example.salt))
        #expect(URLSafeText.encode(message) == Example.message)
        #expect(receiver.opened(try bytes(Example.message)) == Array(Example.plaintext.utf8))
    }

    @Test func `has the keying material of the standard's example`() throws {
        let receiverKey = try P256.KeyAgreement.PublicKey(x963Representation: try bytes(Example.receiverKey))
        let shared = try sender().sharedSecretFromKeyAgreement(with: receiverKey)
        let material = WebPushMessage.keyMaterial(
            of: shared, secret: try bytes(Example.secret), receiver: try bytes(Example.receiverKey),
            sender: Array(try sender().publicKey.x963Representation))
        #expect(URLSafeText.encode(material.withUnsafeBytes { Array($0) }) == Example.keyMaterial)
    }

    @Test func `has one of few lengths, and the longest one is refused by no service`() throws {
        let receiver = WebPushReceiver(drawingFrom: .system)
        let subscription = try #require(receiver.subscription(at: "https://push.example.net/a"))
        func message(_ count: Int) throws -> [UInt8] {
            try WebPushMessage.encrypted(
                [UInt8](repeating: 0x61, count: count), paddedTo: 256, to: subscription,
                from: P256.KeyAgreement.PrivateKey(), salt: RandomSource.system.bytes(16))
        }
        #expect(try Set([1, 2, 100, 256].map { try message($0).count }) == [86 + 256 + 17])
        #expect(try message(257).count == 86 + 512 + 17)
        let longest = try message(3993)
        #expect(longest.count == 4096 && receiver.opened(longest)?.count == 3993)
        #expect(throws: WebPushMessage.TooLongError.self) { try message(3994) }
    }

    @Test func `is read by nobody else, and not when it was changed`() throws {
        let good = try bytes(Example.message)
        #expect(WebPushReceiver(drawingFrom: .system).opened(good) == nil)
        let receiver = try receiver()
        for place in good.indices where !(16..<20).contains(place) {
            var changed = good
            changed[place] ^= 1
            #expect(receiver.opened(changed) == nil, "\(place)")
        }
        for count in [0, 20, 21, 85, 86, 102, good.count - 1] {
            #expect(receiver.opened(Array(good.prefix(count))) == nil, "\(count)")
        }
        #expect(receiver.opened(good + [UInt8](repeating: 0, count: 4096)) == nil)
    }

    @Test func `is read with stored keys`() throws {
        let receiver = WebPushReceiver(drawingFrom: .system)
        let restored = try #require(WebPushReceiver(restoring: receiver.secretBytes))
        #expect(restored.secretBytes == receiver.secretBytes && receiver.secretBytes.count == 48)
        #expect(restored.subscription(at: "https://a.example") == receiver.subscription(at: "https://a.example"))
        #expect("\(receiver)" == "WebPushReceiver(redacted)")
        for count in [0, 32, 47, 49] {
            #expect(WebPushReceiver(restoring: [UInt8](repeating: 1, count: count)) == nil)
        }
        #expect(WebPushReceiver(restoring: [UInt8](repeating: 255, count: 48)) == nil)
    }
}

/// Standard: Push API §8.
@Suite("A subscription for push messages")
struct WebPushSubscriptionTests {
    private static let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    private static func json(
        _ endpoint: String = "https://push.example.net/a?b=c", key: String = key, secret: String = secret
    ) -> String {
        #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(key)","auth":"\#(secret)"}}"#
    }

    @Test func `is read as a browser writes it, and has one spelling`() throws {
        let subscription = try #require(WebPushSubscription(parsing: Self.json()))
        #expect(subscription.endpoint == "https://push.example.net/a?b=c")
        #expect(
            subscription.text
                == #"{"endpoint":"https://push.example.net/a?b=c","keys":{"auth":"\#(Self.secret)","p256dh":"\#(Self.key)"}}"#
        )
        #expect(WebPushSubscription(parsing: subscription.text) == subscription)
        let padded = Self.json(key: Self.key + "=", secret: Self.secret + "==")
        #expect(WebPushSubscription(parsing: padded) == subscription)
        #expect("\(subscription)" == "WebPushSubscription(redacted)")
    }

    @Test(arguments: [
        ("https://push.example.net/a", "https://push.example.net"),
        ("https://Push.Example.net:443/a", "https://push.example.net"),
        ("https://push.example.net:8443/a", "https://push.example.net:8443"),
        ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080"), ("http://localhost:80/", "http://localhost"),
        ("https://[2001:db8::1]/a", "https://[2001:db8::1]"),
    ])
    func `has the origin of its service`(endpoint: String, origin: String) throws {
        #expect(try #require(WebPushSubscription(parsing: Self.json(endpoint))).origin == WebOrigin(origin))
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"endpoint":"https://a.example"}"#,
        #"{"endpoint":"https://a.example","keys":{"p256dh":"AA"}}"#,
        json("http://push.example.net/a"), json("ftp://push.example.net"), json("push"), json(""),
        json("https://user:word@push.example.net/"), json("https://push.example.net:99999/"),
        json("https://push.example.net/" + String(repeating: "a", count: 2048)),
        json(key: ""), json(key: String(key.dropLast())), json(key: "A" + key.dropFirst()), json(key: "no base64!"),
        json(key: String(repeating: "A", count: 5000)),
        json(secret: ""), json(secret: "AA"), json(secret: secret + "AAAA"), json(secret: "ä"),
    ])
    func `is none with any other members`(text: String) {
        #expect(WebPushSubscription(parsing: text) == nil)
    }

    @Test func `is a member of its own in the description of a device, and no token`() throws {
        let told = Data(#"{"push_subscription":\#(Self.json()),"push_enabled":true}"#.utf8)
        let details = try JSONDecoder().decode(DeviceDetails.self, from: told)
        #expect(details.pushSubscription == WebPushSubscription(parsing: Self.json()) && details.pushToken == nil)
        let hidden = try JSONEncoder().encode(["push_token": Self.json()])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(DeviceDetails.self, from: hidden) }
        let broken = Data(#"{"push_subscription":{"endpoint":"https://a.example"}}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(DeviceDetails.self, from: broken) }
    }
}
