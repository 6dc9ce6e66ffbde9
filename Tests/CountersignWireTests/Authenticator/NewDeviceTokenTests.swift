import Countersign
import CountersignWire
import Foundation
import Testing

@Suite("The token about a new device")
struct NewDeviceTokenTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let secret = WebhookSecret(revealing: "0123456789abcdef0123456789abcdef")

    private var device: NewDevice {
        NewDevice(.signIn(Grant.ID("g")), of: Subject("anna"), client: ClientID("tv"), by: .nearby, added: noon + 0.5)
    }

    private func token(at now: Date) throws -> String {
        try NewDeviceToken.text(of: device, event: "e", issuer: "https://id.example", by: secret, at: now)
    }

    @Test(arguments: NewDevice.Way.allCases)
    func `is read as it was written`(way: NewDevice.Way) throws {
        let device = NewDevice(
            .device(DeviceRegistration.ID("d")), of: Subject("anna"), client: nil, by: way, added: noon)
        let text = try NewDeviceToken.text(of: device, event: "e", issuer: "https://id.example", by: secret, at: noon)
        let read = try NewDeviceToken(text, by: secret, at: noon + 59)
        #expect(read.event == "e" && read.device == device)
    }

    @Test func `has these members`() throws {
        let payload = try #require(CompactJWS(try token(at: noon + 1))?.payload)
        #expect(
            String(decoding: payload, as: UTF8.self) == """
                {"client_id":"tv","event":"sign_in","exp":1800000061,"iat":1800000001,"id":"g",\
                "iss":"https://id.example","jti":"e","sub":"anna","time":1800000000,"way":"nearby"}
                """)
    }

    @Test func `is refused with another secret, when it is old, and when it is none`() throws {
        let text = try token(at: noon)
        let other = WebhookSecret(revealing: "another secret that is long enough")
        #expect(throws: CustomerSiteToken.VerificationError.signature) { try NewDeviceToken(text, by: other, at: noon) }
        #expect(throws: CustomerSiteToken.VerificationError.time) {
            try NewDeviceToken(text, by: secret, at: noon + 121)
        }
        #expect(throws: CustomerSiteToken.VerificationError.time) {
            try NewDeviceToken(text, by: secret, at: noon - 61)
        }
        #expect(throws: CustomerSiteToken.VerificationError.malformed) {
            try NewDeviceToken("a.b", by: secret, at: noon)
        }
        let about = StatusToken.text(
            about: AuthenticationRequest.ID("a"),
            being: .approved,
            by: CustomerSiteSecret(revealing: secret.revealed),
            at: noon
        )
        #expect(throws: CustomerSiteToken.VerificationError.malformed) {
            try NewDeviceToken(about, by: secret, at: noon)
        }
    }
}

@Suite("The token about a limit that was reached")
struct LimitAlarmTokenTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let secret = WebhookSecret(revealing: "0123456789abcdef0123456789abcdef")

    @Test(arguments: [nil, ClientID("tv")])
    func `is read as it was written, and not as one about a new device`(client: ClientID?) throws {
        let alarm = LimitAlarm(of: "start-overall", client: client, reached: noon + 0.5, ends: noon + 600)
        let text = try LimitAlarmToken.text(of: alarm, event: "e", issuer: "https://id.example", by: secret, at: noon)
        let read = try LimitAlarmToken(text, by: secret, at: noon + 59)
        #expect(read.event == "e" && read.alarm == alarm)
        #expect(throws: CustomerSiteToken.VerificationError.malformed) {
            try NewDeviceToken(text, by: secret, at: noon)
        }
        #expect(throws: CustomerSiteToken.VerificationError.time) {
            try LimitAlarmToken(text, by: secret, at: noon + 3600)
        }
    }

    @Test func `has these members`() throws {
        let alarm = LimitAlarm(of: "start-per-client", client: ClientID("tv"), reached: noon, ends: noon + 600)
        let text = try LimitAlarmToken.text(
            of: alarm, event: "e", issuer: "https://id.example", by: secret, at: noon + 1)
        let payload = try #require(CompactJWS(text)?.payload)
        #expect(
            String(decoding: payload, as: UTF8.self) == """
                {"client_id":"tv","ends":1800000600,"event":"limit_reached","exp":1800000061,"iat":1800000001,\
                "iss":"https://id.example","jti":"e","limit":"start-per-client","time":1800000000}
                """)
    }

    @Test func `about a new device is none`() throws {
        let device = NewDevice(.signIn(Grant.ID("g")), of: Subject("anna"), client: nil, by: .code, added: noon)
        let text = try NewDeviceToken.text(of: device, event: "e", issuer: "https://id.example", by: secret, at: noon)
        #expect(throws: CustomerSiteToken.VerificationError.malformed) {
            try LimitAlarmToken(text, by: secret, at: noon)
        }
    }
}
