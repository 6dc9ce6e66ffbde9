import Countersign
import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import CountersignWire

@Suite("The messages of devices")
struct DeviceMessageTests {
    private func written(_ message: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(message), as: UTF8.self)
    }

    private func read<Message: Decodable>(_ json: String) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(json.utf8))
    }

    @Test func `say of a device what it wants to say, and leave out the rest`() throws {
        var details = DeviceDetails()
        details.appKey = "key"
        details.platform = "iOS"
        details.pushToken = DeviceDetails.pushToken(of: [0x00, 0xFF, 0xA0])
        details.isPushEnabled = true
        details.isDevelopment = false
        let json = try written(details)
        #expect(
            json
                == #"{"app_key":"key","development":false,"platform":"iOS","push_enabled":true,"push_token":"00ffa0"}"#
        )
        #expect(try read(json) == details)
        #expect(try read(#"{"app_key":null,"later":[1]}"#) == DeviceDetails())
        #expect(throws: DecodingError.self) { let _: DeviceDetails = try read(#"{"app_key":1}"#) }
        let long = String(repeating: "x", count: 1025)
        #expect(throws: DecodingError.self) { let _: DeviceDetails = try read("{\"model\":\"\(long)\"}") }
    }

    @Test func `tell how far a device is registered`() throws {
        let json = #"{"development":false,"id":"d1","push_enabled":true,"registration_status":"pending"}"#
        let registration = DeviceRegistration(
            id: DeviceRegistration.ID("d1"), status: .pending, isPushEnabled: true, isDevelopment: false)
        #expect(try written(registration) == json)
        #expect(try read(json) == registration)
        let short: DeviceRegistration = try read(#"{"id":"d1","registration_status":"verified"}"#)
        #expect(short.status == .verified && !short.isPushEnabled)
        #expect(throws: DecodingError.self) {
            let _: DeviceRegistration = try read(#"{"id":"d1","registration_status":"other"}"#)
        }
    }

    @Test(arguments: [
        "2017-09-26T13:35:25+0000", "2017-09-26T13:35:25+00:00", "2017-09-26T13:35:25Z", "2017-09-26T13:35:25.123Z",
        "2017-09-26T15:35:25+0200", "2017-09-26T15:35:25.5+02:00", "2017-09-26T08:35:25-05:00",
    ])
    func `have dates in every form that was seen`(date: String) throws {
        let request: AuthenticationRequest = try read(
            #"{"id":"a1","auth_type":"instant","expiry":60,"created_at":"\#(date)"}"#)
        #expect(request.created == Date(timeIntervalSince1970: 1_506_432_925))
        #expect(request.deadline == Date(timeIntervalSince1970: 1_506_432_985))
    }

    @Test(arguments: ["", "yesterday", "2017-13-26T13:35:25Z", "2017-09-26", "1506432925"])
    func `have no other dates`(date: String) {
        #expect(throws: DecodingError.self) {
            let _: AuthenticationRequest = try read(
                #"{"id":"a1","auth_type":"instant","expiry":60,"created_at":"\#(date)"}"#)
        }
    }

    @Test func `describe a request with all that is known`() throws {
        var request = AuthenticationRequest(
            id: AuthenticationRequest.ID("a1"),
            kind: .oneTimePassword,
            expiry: 60,
            created: Date(timeIntervalSince1970: 1_506_432_925.75)
        )
        request.pin = "12345"
        request.address = "192.0.2.1"
        var place = AuthenticationRequest.Location()
        place.countryCode = "NL"
        place.latitude = 51.5
        request.place = place
        let json = """
            {"auth_type":"otp","created_at":"2017-09-26T13:35:25+0000","expiry":60,\
            "geoip":{"country_code":"NL","latitude":51.5},"id":"a1","ip":"192.0.2.1","pin":"12345"}
            """
        #expect(try written(request) == json)
        request.created = Date(timeIntervalSince1970: 1_506_432_925)
        #expect(try read(json) == request)
    }

    @Test func `tell what a push message is about, and nothing when it is malformed`() {
        let id = "2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d"
        let whole = PushPayload(["envId": id, "authId": "a1"], category: "auth_instant")
        let expected = PushPayload(
            .instant, environment: CustomerSiteID(id), request: AuthenticationRequest.ID("a1"))
        #expect(whole == expected)
        #expect(PushPayload(whole.members) == expected)
        #expect(PushPayload(["envId": 1, "authId": true], category: "auth_qr") == PushPayload(.scan))
        #expect(PushPayload(["envId": "x", "authId": ""]) == PushPayload(nil))
        #expect(PushPayload(["type": "auth_other"]).kind == nil)
    }

    // MARK: Pins

    private static let service = P256.Signing.PrivateKey()
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private var key: JSONWebKey {
        let raw = Self.service.publicKey.rawRepresentation
        return .p256(id: JSONWebKey.ID("pins"), x: raw.prefix(32), y: raw.suffix(32))
    }

    private func list(version: Int, lasting seconds: Double = 3600) throws -> String {
        try PinnedCertificates.text(version: version, expires: Self.now + seconds, certificates: [[1, 2, 3]]) {
            Array(try Self.service.signature(for: $0).rawRepresentation)
        }
    }

    @Test func `pin certificates by a list that ends, and that no older one replaces`() throws {
        let pins = try PinnedCertificates(try list(version: 7), signedBy: key, notOlderThan: 7, at: Self.now)
        #expect(pins.accepts([1, 2, 3], at: Self.now))
        #expect(!pins.accepts([1, 2], at: Self.now))
        #expect(!pins.accepts([1, 2, 3], at: Self.now + 3600))
        #expect(throws: PinnedCertificates.VerificationError.older) {
            try PinnedCertificates(try list(version: 6), signedBy: key, notOlderThan: 7, at: Self.now)
        }
        #expect(throws: PinnedCertificates.VerificationError.expired) {
            try PinnedCertificates(try list(version: 8, lasting: -1), signedBy: key, at: Self.now)
        }
        let raw = P256.Signing.PrivateKey().publicKey.rawRepresentation
        let other = JSONWebKey.p256(id: JSONWebKey.ID("pins"), x: raw.prefix(32), y: raw.suffix(32))
        #expect(throws: PinnedCertificates.VerificationError.signature) {
            try PinnedCertificates(try list(version: 8), signedBy: other, at: Self.now)
        }
        #expect(throws: PinnedCertificates.VerificationError.malformed) {
            try PinnedCertificates("a.b.c", signedBy: key, at: Self.now)
        }
    }

    @Test func `have pins of the older kind only with the signature of their service`() throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let primitives = try rsa.publicKey.getKeyPrimitives()
        let key = JSONWebKey.rsa(
            id: JSONWebKey.ID("old"), modulus: primitives.modulus, exponent: primitives.publicExponent)
        let content = Array(#"{"hash":"abc","algorithm":"sha256"}"#.utf8)
        let signature = try rsa.signature(for: content, padding: .insecurePKCS1v1_5).rawRepresentation
        let pin = LegacyPin(data: Base64.encode(content), signature: Base64.encode(Array(signature)))
        #expect(pin.fingerprint(signedBy: key) == "abc")
        var changed = pin
        changed.data = Base64.encode(Array(#"{"hash":"abd","algorithm":"sha256"}"#.utf8))
        #expect(changed.fingerprint(signedBy: key) == nil)
    }
}
