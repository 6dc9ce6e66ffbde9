import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A request at the authorization endpoint, while its person signs in,", .server(withApps: true))
struct CarriedRequestTests {
    let server = TestServer.current

    @Test func `is carried along though no address would have it, and is refused before it if it is too long`()
        async throws
    {
        for state in ["domain\\anna", "a|b\"c", String(repeating: "s", count: 7000)] {
            let query =
                TestApps.shop.request.form.encoded.replacing(#/&?state=[^&]*/#, with: "") + "&state=\(state)"
            let sent = try #require(try await server.get("/authorize?\(query)").location)
            let login = try await server.get(sent)
            let target = try #require(login.unescapedField("return_to"))
            let browser = try await server.newBrowser()
            let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
            let back = try await browser.post("login", form.with(["return_to": target]))
            #expect(back.location?.hasPrefix("/authorize?") == true, "\(state.prefix(20))")
            let page = try await server.get(
                back.location ?? "", headers: [.cookie: try #require(back.givenCookie)])
            #expect(page.status == .ok && page.text.contains("The shop"), "\(state.prefix(20))")
        }
        let long =
            TestApps.shop.request.form.encoded.replacing(#/&?state=[^&]*/#, with: "")
            + "&state=" + String(repeating: "s", count: 8192)
        let refused = try await server.get("/authorize?\(long)")
        #expect(refused.authorization?.error == .invalidRequest)
        #expect(refused.authorization?.state?.utf8.count == 8192)
        #expect(refused.location?.hasPrefix("https://shop.example/done?") == true)
    }
}
