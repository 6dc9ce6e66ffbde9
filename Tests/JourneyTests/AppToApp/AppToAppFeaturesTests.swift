import Countersign
import CountersignRequester
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

/// The promises to apps that sign in by another app, one by one, at the real server.
///
/// The promises that need the desktop's own programs (schemes of apps, the example and its declarations) are shown by
/// `AppToAppExampleTests`.
@Suite("What an app that signs in by another app is promised", .timeLimit(.minutes(10)))
struct AppToAppFeaturesTests {
    @Test func `19: the person who is signed in at the provider types no password`() async throws {
        try await FeatureApp.with { app in
            let address = try await app.opened()
            let page = try await app.anna.open(address)
            #expect(page.markup.contains("Approve this sign-in?"))
            #expect(!page.markup.contains("type=\"password\""))
        }
    }

    @Test func `20, 25: one call opens one address with all that the provider needs`() async throws {
        try await FeatureApp.with { app in
            #expect(try await app.signIn.start() == .opened(.webAddress))
            #expect(app.opener.opened.count == 1)
            let sent = try #require(app.opener.opened.first).parameters
            #expect(sent["client_id"] == "recipes" && sent["response_type"] == "code")
            #expect(sent["redirect_uri"] == FeatureApp.universal && sent["scope"] == "openid profile")
            for name in ["state", "nonce", "code_challenge"] { #expect(sent[name]?.utf8.count == 43) }
        }
    }

    @Test func `20: the address holds the name of a pushed request alone where the server takes those`() async throws {
        try await FeatureApp.with(pushing: true) { app in
            let address = try await app.opened()
            #expect(try #require(URL(string: address)).parameters.keys.sorted() == ["client_id", "request_uri"])
            let back = try await app.anna.authorize(address)
            #expect(try await app.signIn.finish(with: back).granted?.signedIn != nil)
        }
    }

    @Test(arguments: [
        ("21: a scheme of its own", AppLinks.schemesOnly, FeatureApp.native),
        ("22: an https address", .schemesAndWebAddresses, FeatureApp.universal),
    ])
    func `21 to 23: the answer comes to the address that the system can open`(
        name: String,
        links: AppLinks,
        redirect: String
    ) async throws {
        try await FeatureApp.with(links: links, app: .none) { app in
            let back = try await app.anna.authorize(try await app.opened())
            #expect(back.hasPrefix("\(redirect)?code="), "\(name)")
            let completion = try #require(try await app.signIn.finish(with: back).granted)
            #expect(completion.signedIn?.identity?.subject == JourneyPerson.anna.subject)
        }
    }

    @Test(arguments: [
        "https://app.example.com/done/", "https://app.example.com/done?x=1", "https://app.example.com/Done",
        "https://app.example.com.evil.example/done", "http://app.example.com/done", "com.example.recipes:/other",
        "https://app.example.com/done#x", "https://app.example.com/%64one",
    ])
    func `24: an address that is not registered gets a page, and the browser goes nowhere`(address: String) async throws
    {
        try await FeatureApp.with { app in
            var parts = try #require(URLComponents(string: try await app.opened()))
            parts.queryItems = parts.queryItems?.filter { $0.name != "redirect_uri" }
            let escaped = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = try await LoopbackHTTP.get("\(try #require(parts.string))&redirect_uri=\(escaped)")
            #expect(page.response.status == .badRequest)
            #expect(page.response.headerFields[.location] == nil)
        }
    }

    @Test func `26, 27: an empty client id and an address that cannot be used open nothing`() async throws {
        try await FeatureApp.with(client: "") { app in
            let start = try await app.signIn.start()
            #expect(start == .invalidClientID)
            #expect(app.opener.opened.isEmpty)
        }
        for redirects in [
            AppRedirects(), AppRedirects(universal: "com.example.recipes:/x"),
            AppRedirects(native: "https://a.example/"),
        ] {
            try await FeatureApp.with(redirects: redirects) { app in
                guard case .invalidRedirect = try await app.signIn.start() else {
                    Issue.record("\(redirects) was used")
                    return
                }
                #expect(app.opener.opened.isEmpty)
            }
        }
    }

    @Test(arguments: [true, false])
    func `28, 29, 31, 32: a missing app and one that is too old are told, with their page in the store when allowed`(
        isOffered: Bool
    ) async throws {
        let page = isOffered ? FeatureApp.store : nil
        try await FeatureApp.with(links: .schemesOnly, opening: ["https:"]) { app in
            let start = try await app.signIn.start(offeringStore: isOffered)
            #expect(start == .appNotInstalled(page))
            #expect(app.opener.opened.isEmpty)
        }
        try await FeatureApp.with(links: .schemesOnly, opening: ["provider://"]) { app in
            let start = try await app.signIn.start(offeringStore: isOffered)
            #expect(start == .appTooOld(page))
            #expect(app.opener.opened.isEmpty)
        }
    }

    @Test func `30, 32: without the provider's app the web page takes its place, and no store is offered`() async throws
    {
        try await FeatureApp.with(opening: ["http:"]) { app in
            #expect(try await app.signIn.start(offeringStore: true) == .opened(.webAddress))
            let page = try await app.anna.open(try #require(app.opener.opened.last).absoluteString)
            #expect(page.status == 200 && page.markup.contains("Recipes"))
        }
    }

    @Test func `33: the app hears of both answers of the person`() async throws {
        try await FeatureApp.with { app in
            let denied = try await app.anna.authorize(try await app.opened(), answering: .deny)
            #expect(try await app.signIn.finish(with: denied).isDenied)
            let approved = try await app.anna.authorize(try await app.opened())
            #expect(try await app.signIn.finish(with: approved).granted?.signedIn != nil)
        }
    }

    @Test(arguments: [
        ("code=A", "code A"), ("code=a%2Bb", "code a+b"), ("code=abc%3D%3D", "code abc=="),
        ("code=abc==", "code abc=="),
        ("error=invalid_request", "refused invalid_request"), ("error=invalid_client", "refused invalid_client"),
        ("error=invalid_grant", "refused invalid_grant"),
        ("error=unauthorized_client", "refused unauthorized_client"),
        ("error=unsupported_grant_type", "refused unsupported_grant_type"), ("error=access_denied", "denied"),
        ("error=redirect_uri_mismatch", "refused redirect_uri_mismatch"),
        ("error=access_denied&code=A", "rejected codeAndError"),
        ("code=A&error=access_denied", "rejected codeAndError"),
        ("code=A&code=B", "rejected parameterRepeated"), ("code=", "rejected nothing"), ("", "rejected nothing"),
        ("code=%ZZ", "unasked"),
    ])
    func `34 to 36: every answer has one meaning`(query: String, meaning: String) async throws {
        try await FeatureApp.with { app in
            let sent = try #require(URL(string: try await app.opened())).parameters
            let query = query.isEmpty ? "" : "\(query)&"
            let issuer = app.server.issuer.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let address = "\(FeatureApp.universal)?\(query)state=\(sent["state"] ?? "")&iss=\(issuer)"
            let found =
                switch try await app.signIn.receive(address) {
                case .granted(let code): "code \(code.code.revealed)"
                case .denied: "denied"
                case .refused(let error): "refused \(error.code)"
                case .unasked: "unasked"
                case .otherAddress: "other address"
                case .rejected(let fault): "rejected \(fault.rawValue)"
                }
            #expect(found == meaning)
        }
    }

    @Test func `37: an answer that nobody asked for has no effect`() async throws {
        try await FeatureApp.with { app in
            for query in ["code=A", "code=A&state=x", "error=access_denied", ""] {
                let answer = try await app.signIn.receive("\(FeatureApp.universal)?\(query)")
                #expect(answer.isUnasked)
            }
            #expect(app.network.polls == 0)
        }
    }

    @Test func `38: nobody is blocked while the code is redeemed`() async throws {
        try await FeatureApp.with { app in
            let back = try await app.anna.authorize(try await app.opened())
            let (signIn, begun) = (app.signIn, AsyncStream.makeStream(of: Void.self))
            let redeeming = Task {
                begun.continuation.finish()
                return try await signIn.finish(with: back)
            }
            for await _ in begun.stream {}
            // Another sign-in can begin in the meantime.
            #expect(try await app.signIn.start() == .opened(.webAddress))
            #expect(try await redeeming.value.granted?.signedIn != nil)
        }
    }

    @Test(arguments: [false, true])
    func `39: the code can be handed to a backend, which redeems it with its secret`(pushing: Bool) async throws {
        let redirects = AppRedirects(universal: "https://shop.example.com/done")
        try await FeatureApp.with(client: "shop", redirects: redirects, pushing: pushing) { app in
            let back = try await app.anna.authorize(try await app.opened())
            guard case .granted(let code) = try await app.signIn.receive(back) else {
                Issue.record("No code: \(back)")
                return
            }
            let handover = code.handover
            var form = TokenRequest.authorizationCode(
                handover.code,
                redirectURI: handover.redirectURI,
                verifier: handover.verifier
            ).form
            form["client_id"] = handover.client.rawValue
            form["client_secret"] = JourneyParties.shopSecret.revealed
            let answer = try await LoopbackHTTP.post(form, to: "\(app.server.issuer)/token")
            #expect(answer.response.status == .ok)
            #expect(app.network.polls == 0)
            let seen = try JSONEncoder().encode(handover)
            #expect(!String(decoding: seen, as: UTF8.self).contains(JourneyParties.shopSecret.revealed))
        }
    }

    @Test(arguments: [FeatureApp.native, "https://app.example.com/done?x=1", nil])
    func `40: a code is redeemed with the address of its request only`(address: String?) async throws {
        try await FeatureApp.with { app in
            let back = try await app.anna.authorize(try await app.opened())
            guard case .granted(let code) = try await app.signIn.receive(back) else {
                Issue.record("No code: \(back)")
                return
            }
            var form = TokenRequest.authorizationCode(code.code, redirectURI: address ?? "", verifier: code.verifier)
                .form
            form["client_id"] = "recipes"
            if address == nil { form["redirect_uri"] = nil }
            let answer = try await LoopbackHTTP.post(form, to: "\(app.server.issuer)/token")
            #expect(answer.response.status == .badRequest)
            #expect(try answer.decoded(OAuthErrorResponse.self).error == .invalidGrant)
        }
    }

    @Test func `41: tokens, a refusal, or neither with advice whether to try again`() async throws {
        try await FeatureApp.with { app in
            let good = try await app.anna.authorize(try await app.opened())
            let tokens = try #require(try await app.signIn.finish(with: good).granted)
            #expect(tokens.isCompleted && tokens.error == nil && tokens.advice == .no)

            // The code is over when it arrives.
            let late = try await app.anna.authorize(try await app.opened())
            app.server.clock.advance(by: .seconds(61))
            let refused = try #require(try await app.signIn.finish(with: late).granted)
            #expect(refused.isCompleted && refused.error?.code == .invalidGrant && refused.advice == .signInAgain)

            let alone = try await app.anna.authorize(try await app.opened())
            try await app.server.stop()
            let failed = try #require(try await app.signIn.finish(with: alone).granted)
            #expect(!failed.isCompleted && failed.error == nil && failed.advice == .signInAgain)
        }
    }
}
