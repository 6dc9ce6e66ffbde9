import Countersign
import CountersignTesting
import Testing

@testable import CountersignWire

import FoundationEssentialsCompat

@Suite("A device authorization request")
struct DeviceAuthorizationRequestTests {
    @Test func `is that of RFC 8628`() throws {
        let request = try request(RFC8628.requestForm)
        #expect(request == DeviceAuthorizationRequest(scope: Scope([ScopeWord("example_scope")])))
        #expect(RFC8628.requestForm == "client_id=1406020730&\(request.form.encoded)")
    }

    @Test(arguments: [
        DeviceAuthorizationRequest(scope: .none),
        DeviceAuthorizationRequest(scope: Scope([.openid, .profile])),
        DeviceAuthorizationRequest(scope: .none, deviceName: "Küche 📻 & Bad"),
        DeviceAuthorizationRequest(scope: .none, nearbyChallenge: NearbyVerifier(drawingFrom: .system).challenge),
    ])
    func `is read as it was sent`(asked: DeviceAuthorizationRequest) throws {
        #expect(try request(asked.form.encoded) == asked)
    }

    @Test func `is read with all that it adds to the standard`() throws {
        var asked = DeviceAuthorizationRequest(scope: .none)
        asked.browserReturn = BrowserReturn(to: try RedirectURI("http://127.0.0.1:49152/callback"), state: "a state")
        asked.rememberedPerson = UnverifiedIDToken(revealing: "a.token.of")
        asked.acrValues = ["one", "two"]
        asked.maxAge = 300
        asked.personCode = PersonCode(parsing: "1234 5678")
        asked.service = GuestService(purpose: "backup on nas", ends: Date(timeIntervalSince1970: 1_800_000_000))
        #expect(try request(asked.form.encoded) == asked)
    }

    @Test(arguments: [
        "redirect_uri=javascript:alert(1)", "redirect_uri=http://other.example/",
        "redirect_uri=https://a.example/&state=" + String(repeating: "a", count: 513), "person_code=1234",
        "max_age=-1", "max_age=soon", "service_purpose=backup", "service_until=1800000000",
        "service_purpose=%0A&service_until=1800000000", "service_purpose=backup&service_until=tomorrow",
        "service_purpose=backup&service_until=-1", "service_purpose=backup&service_until=1.5",
    ])
    func `is refused with a malformed addition`(wire: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try request(wire) }
    }

    @Test func `shows the purpose of a service in one line, cut to a length`() throws {
        let wide = String(repeating: "W", count: 100)
        let service = try request("service_purpose=a%0A%20b\(wide)&service_until=99999999999999999999").service
        #expect(service?.purpose == "a b" + String(repeating: "W", count: 61))
        #expect(service?.ends == Date(timeIntervalSince1970: 253_402_300_799))
    }

    @Test(arguments: ["x", "jFN1XH-IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wl", "jFN1XH+IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlIU"])
    func `is refused with a malformed challenge`(text: String) throws {
        var form = Form()
        form["nearby_challenge"] = text
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try DeviceAuthorizationRequest(form: form) }
    }

    @Test func `is refused with a malformed scope`() {
        #expect(throws: OAuthError(.invalidScope, because: "")) { try request("scope=a%0Ab") }
    }

    @Test(arguments: ["device_name=", "device_name=+++", "device_name=%E2%80%AE%0D%0A"])
    func `has no name when nothing of it can be shown`(wire: String) throws {
        #expect(try request(wire).deviceName == nil)
    }

    @Test(arguments: [
        ("Living room", "Living room"),
        ("  Living \t room  ", "Living room"),
        ("Living\u{3000}room", "Living room"),
        ("Wohnzimmer 📺", "Wohnzimmer 📺"),
        ("تلفزيون", "تلفزيون"),
        ("Tivi phòng khách", "Tivi phòng khách"),
        ("หน้าบ้าน", "หน้าบ้าน"),
        ("<b>&amp;", "<b>&amp;"),
    ])
    func `shows an ordinary name as it is`(name: String, shown: String) {
        #expect(DeviceAuthorizationRequest.presentable(name) == shown)
    }

    @Test(arguments: [
        ("TV\nApproved by your bank", "TVApproved by your bank"),
        ("TV\r\n\r\nX", "TVX"),
        ("TV\u{2028}X\u{2029}Y", "TVXY"),
        ("TV\u{0}\u{7}\u{1B}[31m", "TV[31m"),
        ("TV\u{85}X\u{9B}Y", "TVXY"),
        ("\u{202E}VT", "VT"),
        ("a\u{202A}b\u{202B}c\u{202D}d\u{202E}e\u{202C}f", "abcdef"),
        ("a\u{2066}b\u{2067}c\u{2068}d\u{2069}e\u{200E}f\u{200F}g\u{061C}h", "abcdefgh"),
        ("T\u{200B}V\u{FEFF}\u{00AD}\u{2060}", "TV"),
        ("\u{E000}TV\u{F8FF}", "TV"),
        ("TV\u{E0041}\u{E0001}", "TV"),
        ("TV\u{FFFF}", "TV"),
    ])
    func `shows one line, in the order in which it is written`(name: String, shown: String) {
        #expect(DeviceAuthorizationRequest.presentable(name) == shown)
    }

    @Test(arguments: ["", " ", "\n", "\u{202E}", "\u{0}\u{1}", "\t\u{3000}\u{200B}"])
    func `shows nothing when nothing is left`(name: String) {
        #expect(DeviceAuthorizationRequest.presentable(name) == nil)
    }

    @Test func `cuts a long name`() {
        let long = String(repeating: "é📺", count: 1_000)
        #expect(DeviceAuthorizationRequest.presentable(long)?.count == 64)
        #expect(DeviceAuthorizationRequest.presentable(long, upTo: 3) == "é📺é")
        #expect(DeviceAuthorizationRequest.presentable("one two", upTo: 4) == "one")
    }

    // Found by reading: sixty-four letters could carry a million accents, and cover the page that shows them.
    @Test func `lets no letter grow over the page`() throws {
        let tall = "T" + String(repeating: "\u{301}", count: 100_000) + "V"
        let shown = try #require(DeviceAuthorizationRequest.presentable(tall))
        #expect(shown.unicodeScalars.count == 6)
        #expect(shown.hasPrefix("T") == false)
        #expect(shown.hasSuffix("V"))
        let enclosed = String(repeating: "a" + String(repeating: "\u{20DD}\u{200B}", count: 50), count: 64)
        #expect(try #require(DeviceAuthorizationRequest.presentable(enclosed)).unicodeScalars.count == 64 * 5)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `shows a name that was made fit to be shown as it is`(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        let shown = try #require(DeviceAuthorizationRequest.presentable("a" + random.text(upTo: 200)))
        #expect(shown.count <= 64)
        #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(DeviceAuthorizationRequest.presentable(shown) == shown)
    }

    private func request(_ wire: String) throws -> DeviceAuthorizationRequest {
        try DeviceAuthorizationRequest(form: Form(parsing: Array(wire.utf8)))
    }
}
