import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("Starting a sign-in by another app")
struct AppToAppStartTests {
    private static let page = ProviderProfile.foursquare.app?.store

    @Test func `opens one address, with all that the provider needs`() async throws {
        let app = try AppUnderTest()
        #expect(try await app.signIn.start() == .opened(.webAddress))
        #expect(app.opener.opened.count == 1)
        let address = try #require(app.opener.opened.first)
        #expect(address.absoluteString.hasPrefix("https://id.example.com/authorize?"))
        let sent = address.parameters
        #expect(sent["response_type"] == "code")
        #expect(sent["client_id"] == "kitchen-radio")
        #expect(sent["redirect_uri"] == AppUnderTest.universal)
        #expect(sent["scope"] == "openid offline_access")
        #expect(sent["code_challenge_method"] == "S256")
        #expect(sent["code_challenge"]?.utf8.count == 43)
        #expect(sent["state"]?.utf8.count == 43)
        #expect(sent["nonce"]?.utf8.count == 43)
        #expect(Set([sent["state"], sent["nonce"], sent["code_challenge"]]).count == 3)
    }

    /// Standard: RFC 9470 §4.
    @Test func `asks for what a service demands of the authentication`() async throws {
        var options = AppToAppOptions()
        options.network.acrValues = ["urn:countersign:acr:passkey", "urn:x"]
        options.maxAge = 60
        let sent = try await AppUnderTest(options: options).started()
        #expect(sent["acr_values"] == "urn:countersign:acr:passkey urn:x" && sent["max_age"] == "60")
    }

    @Test func `draws new secrets each time, and a nonce for openid only`() async throws {
        let app = try AppUnderTest(scope: Scope([ScopeWord("reports")]))
        let (first, second) = (try await app.started(), try await app.started())
        #expect(first["state"] != second["state"])
        #expect(first["code_challenge"] != second["code_challenge"])
        #expect(first["nonce"] == nil)
    }

    @Test func `lets no value add a parameter`() async throws {
        let app = try AppUnderTest(
            redirects: AppRedirects(native: "app://cb?kind=a&x=1!$'()*+,;:@/"),
            client: "a&scope=admin#x%26y=z w"
        )
        let sent = try await app.started()
        #expect(sent["client_id"] == "a&scope=admin#x%26y=z w")
        #expect(sent["redirect_uri"] == "app://cb?kind=a&x=1!$'()*+,;:@/")
        #expect(sent["scope"] == "openid offline_access")
        let text = try #require(app.opener.opened.first?.absoluteString)
        #expect(!text.contains("#") && !text.contains("+") && !text.contains("y=z"))
        #expect(text.split(separator: "&").count == 8)
    }

    @Test func `keeps the query that the endpoint has`() async throws {
        let app = try AppUnderTest { $0.authorizationEndpoint = "https://id.example.com/authorize?tenant=a" }
        #expect(try await app.started()["tenant"] == "a")
        #expect(try #require(app.opener.opened.first).absoluteString.contains("?tenant=a&response_type=code&"))
    }

    @Test(arguments: [nil, false, true])
    func `stores the request beforehand where the server has an endpoint for it`(isDemanded: Bool?) async throws {
        let app = try AppUnderTest {
            $0.pushedAuthorizationRequestEndpoint = "https://id.example.com/par"
            $0.requirePushedAuthorizationRequests = isDemanded
        }
        let stored = #"{"request_uri":"urn:ietf:params:oauth:request_uri:a b","expires_in":60}"#
        app.server.transport.reply(at: "/par", with: .text(stored, type: "application/json", status: .created))
        let sent = try await app.started()
        #expect(sent == ["client_id": "kitchen-radio", "request_uri": "urn:ietf:params:oauth:request_uri:a b"])
        let form = try #require(app.server.transport.sent(to: "/par").first?.form)
        #expect(form["response_type"] == "code" && form["redirect_uri"] == AppUnderTest.universal)
        #expect(form["code_challenge"]?.utf8.count == 43)
        let answer = try await app.signIn.receive(app.address("code=A", state: form["state"]))
        #expect(Expected(answer) == .code("A"))
    }

    @Test func `opens nothing when a server that demands stored requests refuses it`() async throws {
        let app = try AppUnderTest {
            $0.pushedAuthorizationRequestEndpoint = "https://id.example.com/par"
            $0.requirePushedAuthorizationRequests = true
        }
        app.server.transport.reply(at: "/par", with: .error(.invalidClient))
        await #expect(throws: SignInError(.clientRefused, because: "")) { try await app.signIn.start() }
        #expect(app.opener.opened.isEmpty)
        #expect(try await app.store.keys().isEmpty)
    }

    @Test(arguments: [AppLinks.schemesOnly, .schemesAndWebAddresses])
    func `says first that the client id is empty`(links: AppLinks) async throws {
        let app = try AppUnderTest(redirects: AppRedirects(), client: "", opener: ScriptedOpener(links))
        #expect(try await app.signIn.start() == .invalidClientID)
        #expect(app.opener.opened.isEmpty && app.opener.asked.isEmpty)
        #expect(app.server.transport.sent().isEmpty)
    }

    @Test(arguments: [
        (AppLinks.schemesAndWebAddresses, AppRedirects(), AppRedirects.ValidationError.none),
        (.schemesOnly, AppRedirects(native: "", universal: ""), .none),
        (.schemesAndWebAddresses, AppRedirects(universal: "app://cb"), .refused("app://cb", .noWebAddress)),
        (.schemesOnly, AppRedirects(native: "app://cb", universal: "app://cb"), .refused("app://cb", .noWebAddress)),
        (
            .schemesAndWebAddresses, AppRedirects(native: "https://a.example/"),
            .refused("https://a.example/", .webAddress)
        ),
        (
            .schemesAndWebAddresses, AppRedirects(universal: "http://a.example/"),
            .refused("http://a.example/", .insecure)
        ),
        (.schemesAndWebAddresses, AppRedirects(native: "file:///x"), .refused("file:///x", .schemeOfSystem)),
        (.schemesOnly, AppRedirects(universal: "https://a.example/"), .nativeMissing),
    ])
    func `says which redirect URI cannot be used`(
        links: AppLinks,
        redirects: AppRedirects,
        problem: AppRedirects.ValidationError
    ) async throws {
        let app = try AppUnderTest(redirects: redirects, opener: ScriptedOpener(links))
        #expect(try await app.signIn.start() == .invalidRedirect(problem))
        #expect(app.opener.opened.isEmpty && app.opener.asked.isEmpty)
    }

    @Test(arguments: [
        (AppLinks.schemesAndWebAddresses, AppUnderTest.universal), (.schemesOnly, AppUnderTest.native),
    ])
    func `chooses the redirect URI by what the system can do`(links: AppLinks, redirect: String) async throws {
        let app = try AppUnderTest(opener: ScriptedOpener(links))
        #expect(try await app.started()["redirect_uri"] == redirect)
    }

    @Test func `uses the native one where it is the only one`() async throws {
        let app = try AppUnderTest(redirects: AppRedirects(native: AppUnderTest.native))
        #expect(try await app.started()["redirect_uri"] == AppUnderTest.native)
    }

    @Test(arguments: [(true, page), (false, nil)])
    func `says that the provider's app is missing, with its page when that is allowed`(
        offering: Bool,
        page: ProviderApp.StorePage?
    ) async throws {
        let app = try foursquare(.schemesOnly, apps: ["https:"])
        #expect(try await app.signIn.start(offeringStore: offering) == .appNotInstalled(page))
        #expect(app.opener.asked == ["foursquare://"])
        #expect(app.opener.opened.isEmpty)
    }

    @Test(arguments: [(true, page), (false, nil)])
    func `says that the provider's app is too old, with its page when that is allowed`(
        offering: Bool,
        page: ProviderApp.StorePage?
    ) async throws {
        let app = try foursquare(.schemesOnly, apps: ["https:", "foursquare:"])
        #expect(try await app.signIn.start(offeringStore: offering) == .appTooOld(page))
        #expect(app.opener.asked == ["foursquare://", "foursquareauth://authorize"])
        #expect(app.opener.opened.isEmpty)
    }

    @Test func `asks the provider's app by its scheme`() async throws {
        let app = try foursquare(.schemesOnly, apps: ["foursquare:", "foursquareauth:"])
        #expect(try await app.signIn.start(offeringStore: true) == .opened(.app))
        let address = try #require(app.opener.opened.first)
        #expect(address.absoluteString.hasPrefix("foursquareauth://authorize?"))
        #expect(address.parameters["v"] == "20130509")
        #expect(address.parameters["client_id"] == "kitchen-radio")
        #expect(address.parameters["redirect_uri"] == AppUnderTest.native)
        #expect(address.parameters["state"]?.utf8.count == 43)
    }

    @Test func `goes to the web page where https addresses open apps, and offers no store`() async throws {
        let app = try foursquare(.schemesAndWebAddresses, apps: ["https:"])
        #expect(try await app.signIn.start(offeringStore: true) == .opened(.webAddress))
        #expect(app.opener.asked.isEmpty)
        let address = try #require(app.opener.opened.first)
        #expect(address.absoluteString.hasPrefix("https://foursquare.com/native/oauth2/authenticate?"))
        #expect(address.parameters["response_type"] == "code")
        #expect(address.parameters["redirect_uri"] == AppUnderTest.universal)
    }

    @Test func `keeps nothing when nothing opens the address`() async throws {
        let app = try AppUnderTest(opener: ScriptedOpener(apps: []))
        #expect(try await app.signIn.start() == .notOpened)
        #expect(try await app.store.keys().isEmpty)
    }

    @Test func `opens nothing when the request cannot be kept`() async throws {
        let store = FailingTokenStore()
        let app = try AppUnderTest(store: store)
        await store.fail(saving: .notWritten)
        await #expect(throws: SignInError(.notStored, because: "")) { try await app.signIn.start() }
        #expect(app.opener.opened.isEmpty)
    }

    @Test func `opens nothing when the server has no authorization endpoint`() async throws {
        let app = try AppUnderTest { $0.authorizationEndpoint = nil }
        await #expect(throws: SignInError(.flowNotOffered, because: "")) { try await app.signIn.start() }
        #expect(app.opener.opened.isEmpty)
    }

    @Test func `forgets the oldest request when too many wait`() async throws {
        let app = try AppUnderTest()
        var states: [String] = []
        for _ in 0..<10 {
            states.append(try #require(try await app.started()["state"]))
            app.server.clock.advance(by: .seconds(1))
        }
        #expect(try await app.store.keys().count == 8)
        #expect(try await app.signIn.receive(app.address("code=A", state: states[0])) == .unasked)
        let last = try await app.signIn.receive(app.address("code=A", state: states[9]))
        #expect({ if case .granted = last { true } else { false } }())
    }

    private func foursquare(_ links: AppLinks, apps: [String]) throws -> AppUnderTest {
        try AppUnderTest(at: .foursquare, scope: .none, opener: ScriptedOpener(links, apps: apps))
    }
}
