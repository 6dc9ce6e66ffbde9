import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

/// Features 70 to 77, 87 and 98 to 105, each by its number.
@Suite("A sign-in at the social graph")
struct SocialGraphTests {
    @Test func `70 71 72 73 gives token, id and name, and no page is asked for`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        let credentials = try await system.graphOutcome().get()
        #expect(credentials.token == AccessToken(revealing: "EAAG-1"))
        #expect(credentials.id == "10158400000000000")
        #expect(credentials.name == "Jürgen Łukasz 山田")
        #expect(system.graph.received.map(\.path) == ["/v23.0/me"])
        #expect(system.graph.received.first?.query["fields"] == "id,name,email,picture.type(large)")
        #expect(system.graph.received.first?.target.contains("EAAG") == false)
        #expect(!"\(credentials)".contains("EAAG"))
        await system.stop()
    }

    @Test func `74 has the address of the picture, which leads on`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        let avatar = try await system.graphOutcome().get().avatar
        #expect(avatar == "\(system.graph.base)/v23.0/10158400000000000/picture?type=large")
        let transport = SystemTransport.make()
        let answer = try await transport.send(
            CountersignWire.Endpoint(avatar).request(.get), body: [], within: .seconds(60))
        let location = try #require(answer.response.headerFields[.location])
        #expect(answer.response.status.code == 302)
        let picture = try await transport.send(
            CountersignWire.Endpoint(location).request(.get), body: [], within: .seconds(60))
        #expect(picture.text == "a picture")
        await system.stop()
    }

    @Test func `74 has the address of the picture itself where the provider gives it, and needs no token there`()
        async throws
    {
        let system = try await AccountsUnderTest()
        system.graph.givesPictureAddress = true
        try await system.addFacebook()
        let avatar = try await system.graphOutcome().get().avatar
        let picture = try await SystemTransport.make().send(
            CountersignWire.Endpoint(avatar).request(.get), body: [], within: .seconds(60))
        #expect(picture.response.status == .ok && picture.text == "a picture")
        await system.stop()
    }

    @Test(arguments: [
        #"{"data":{}}"#, #"{"data":{"url":7}}"#, "[]", "null", #"{"data":{"url":"javascript:alert(1)"}}"#,
        #"{"data":{"url":"http://elsewhere.example/a.jpg"}}"#,
    ])
    func `74 signs in although the picture cannot be read or fetched`(picture: String) async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        let body = #"{"id":"1","name":"Anna","picture":\#(picture)}"#
        system.graph.fail(at: .profile, with: .answer(200, type: "application/json", body: body))
        let credentials = try await system.graphOutcome().get()
        #expect(credentials.avatar == "\(system.graph.base)/v23.0/1/picture?type=large")
        await system.stop()
    }

    @Test(arguments: ["juergen@example.com", nil])
    func `75 has an e-mail address or none`(email: String?) async throws {
        let system = try await AccountsUnderTest()
        var person = GraphPerson()
        person.email = email
        try await system.addFacebook(person)
        #expect(try await system.graphOutcome().get().email == email)
        await system.stop()
    }

    @Test(arguments: [("text/javascript; charset=UTF-8", true), ("text/html", false), ("text/plain", false)])
    func `75 is read from JSON that is called a script, and from no page`(type: String, isRead: Bool) async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        let body = #"{"id":"1","name":"Anna","email":"anna@example.com"}"#
        system.graph.fail(at: .profile, with: .answer(200, type: type, body: body))
        let outcome = await system.graphOutcome()
        #expect((try? outcome.get())?.email == (isRead ? "anna@example.com" : nil))
        #expect(outcome.problem?.code == (isRead ? nil : .serviceFailure))
        await system.stop()
    }

    @Test func `76 has a name for the five rights of former days`() {
        let rights = ["email", "public_profile", "user_birthday", "user_friends", "user_location"]
        #expect(SocialGraphSignIn.extendedPermissions.sorted() == rights)
    }

    @Test(arguments: [SocialGraphSignIn.minimalPermissions, SocialGraphSignIn.extendedPermissions, [], ["email"]])
    func `76 110 asks for the rights that the app names, the least by default`(permissions: [String]) async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        _ = try await system.socialGraph(permissions: permissions).perform { _ in true }
        #expect(system.asked.withLockedValue { $0.map(\.permissions) } == [permissions])
        #expect(SocialGraphSignIn.minimalPermissions == ["public_profile"])
        await system.stop()
    }

    @Test(arguments: SystemAccountAccess.Audience.allCases)
    func `77 names the audience`(audience: SystemAccountAccess.Audience) async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        _ = try await system.socialGraph(audience: audience).perform { _ in true }
        #expect(system.asked.withLockedValue { $0.map(\.audience) } == [audience])
        #expect(SystemAccountAccess(to: .facebook, for: ClientID("1")).audience == .onlyMe)
        await system.stop()
    }

    @Test func `84 signs in with what the app said once, and is unconfigured without it`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        try await system.addTwitter()
        let app = AccountAppCredentials(named: "Recipes", twitter: system.twitter.app, facebook: system.graph.app)
        for _ in 1...2 {
            let attempt = app.socialGraph(at: system.graph.addresses, with: system.accounts)
            #expect(try await attempt.perform { _ in true }.id == "10158400000000000")
        }
        let empty = AccountAppCredentials(named: "Recipes")
        await #expect(throws: AccountError(.unconfigured, because: "")) {
            try await empty.socialGraph(at: system.graph.addresses, with: system.accounts).perform { _ in true }
        }
        await #expect(throws: AccountError(.unconfigured, because: "")) {
            try await empty.reverseAuth(at: system.twitter.addresses, with: system.accounts).perform { $0.first?.id }
        }
        #expect(!"\(app)".contains(system.twitter.app.secret.revealed))
        await system.stop()
    }

    @Test func `100 is cancelled, and not declined, when the person's screen closes with the task`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        try await system.addTwitter()
        // A screen that closes with its task answers as a person who wants none of it, and may be the first to answer.
        for _ in 1...50 {
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            let closes: @Sendable () async -> Void = {
                ask.yield()
                try? await Task.sleep(for: .seconds(600))
            }
            let social = Task {
                try await system.socialGraph().perform { _ in
                    await closes()
                    return false
                }
            }
            let reverse = Task {
                try await system.reverseAuth().perform { _ in
                    await closes()
                    return nil
                }
            }
            var questions = asked.makeAsyncIterator()
            for _ in 1...2 { _ = await questions.next() }
            social.cancel()
            reverse.cancel()
            await #expect(throws: AccountError(.cancelled, because: "")) { try await social.value }
            await #expect(throws: AccountError(.cancelled, because: "")) { try await reverse.value }
        }
        await system.stop()
    }

    @Test func `85 is performed once`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        let attempt = system.socialGraph()
        _ = try await attempt.perform { _ in true }
        await #expect(throws: AccountError(.alreadyPerformed, because: "")) {
            try await attempt.perform { _ in true }
        }
        await system.stop()
    }

    @Test func `87 100 lets the person confirm the account`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        let names = NIOLockedValueBox<[String]>([])
        await #expect(throws: AccountError(.choiceCancelled, because: "")) {
            try await system.socialGraph().perform { account in
                names.withLockedValue { $0.append(account.name) }
                return false
            }
        }
        #expect(names.withLockedValue(\.self) == ["juergen@example.com"])
        #expect(system.graph.received.isEmpty)
        await system.stop()
    }

    @Test func `98 99 105 tells of the store`() async throws {
        let system = try await AccountsUnderTest()
        #expect(await system.graphOutcome().problem?.code == .noAccount)
        let denying = try await AccountsUnderTest(allowing: false)
        try await denying.addFacebook()
        #expect(await denying.graphOutcome().problem?.code == .accessNotGranted)
        for (number, info, code) in [
            (6, nil, AccountError.Code.noAccount), (7, nil, .accessNotGranted), (7, "wrong bundle id", .storeFailure),
            (3, "locked", .storeFailure),
        ] {
            let store = FailingAccounts(SystemAccountStoreError(number: number, info: info))
            await #expect(throws: AccountError(code, because: "")) {
                try await system.socialGraph(store).perform { _ in true }
            }
        }
        await denying.stop()
        await system.stop()
    }

    @Test func `101 needs a new sign-in when renewal is refused`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        system.graph.refuse(with: [GraphRefusal(190, 460)])
        let problem = await system.graphOutcome().problem
        #expect(problem?.code == .newSignInNeeded && problem?.nextStep == .openSettings && problem?.providerCode == 190)
        #expect(system.graph.received.count == 1)
        for renewal in [SystemAccountRenewal.rejected, .failed] {
            let store = FailingAccounts(nil, tokens: [AccessToken(revealing: "old")], renewal: renewal)
            await #expect(throws: AccountError(.newSignInNeeded, because: "")) {
                try await system.socialGraph(store).perform { _ in true }
            }
        }
        await system.stop()
    }

    @Test(arguments: [460, 463, 467, 459, nil])
    func `101 goes on with a renewed token`(subcode: Int?) async throws {
        let system = try await AccountsUnderTest()
        let new = system.graph.issue(GraphToken(for: system.graph.app))
        let store = FailingAccounts(nil, tokens: [AccessToken(revealing: "old"), new], renewal: .renewed)
        system.graph.refuse(with: [GraphRefusal(190, subcode)])
        let credentials = try await system.socialGraph(store).perform { _ in true }
        #expect(credentials.token == new && store.renewals.withLockedValue(\.self) == 1)
        #expect(system.graph.received.count == 2)
        await system.stop()
    }

    @Test func `101 takes a token that the person has added anew`() async throws {
        let system = try await AccountsUnderTest()
        let account = try await system.addFacebook()
        let access = SystemAccountAccess(to: .facebook, for: system.graph.app)
        _ = try await system.accounts.accounts(for: access)
        let old = try await system.accounts.token(of: account, for: access)
        #expect(try await system.accounts.renew(account, insteadOf: old, for: access) == .rejected)
        try await system.addFacebook()
        #expect(try await system.accounts.renew(account, insteadOf: old, for: access) == .renewed)
        await system.stop()
    }

    @Test func `102 is unconfigured without an app`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        await #expect(throws: AccountError(.unconfigured, because: "")) {
            try await system.socialGraph(isConfigured: false).perform { _ in true }
        }
        #expect(system.asked.withLockedValue(\.count) == 0)
        await system.stop()
    }

    @Test(arguments: [
        (ProviderFault.refused, AccountError.Code.networkFailure), (.unknownHost, .networkFailure),
        (.noTLS, .networkFailure), (.reset, .networkFailure), (.truncated, .networkFailure),
        (.silence, .networkFailure),
        (.status(401), .serviceFailure), (.status(403), .serviceFailure), (.status(429), .serviceFailure),
        (.status(500), .serviceFailure), (.badUTF8, .serviceFailure), (.huge, .serviceFailure),
        (.missing("id"), .serviceFailure), (.missing("name"), .serviceFailure),
        (.answer(200, type: "text/html", body: "<html>"), .serviceFailure),
        (.answer(400, type: "application/json", body: #"{"error":"text"}"#), .serviceFailure),
    ])
    func `103 104 tells of network and service`(fault: ProviderFault, code: AccountError.Code) async throws {
        let system = try await AccountsUnderTest(meeting: fault)
        try await system.addFacebook()
        system.graph.fail(at: .profile, with: fault)
        let problem = await system.graphOutcome().problem
        #expect(problem?.code == code && problem?.step == .profile)
        #expect((problem?.transport != nil) == (code == .networkFailure))
        await system.stop()
    }

    @Test func `104 tries everything once more, renews once, and then ends`() async throws {
        let system = try await AccountsUnderTest()
        let token = system.graph.issue(GraphToken(for: system.graph.app))
        let store = FailingAccounts(nil, tokens: [token], renewal: .renewed)
        let removed = GraphRefusal(190, 458)
        system.graph.refuse(with: [removed, removed, removed, removed])
        let confirmed = NIOLockedValueBox(0)
        let problem = await #expect(throws: AccountError.self) {
            try await system.socialGraph(store).perform { _ in
                confirmed.withLockedValue { $0 += 1 }
                return true
            }
        }
        #expect(problem?.code == .serviceFailure && problem?.providerCode == 190)
        #expect(system.graph.received.count == 3)
        #expect(store.accesses.withLockedValue(\.count) == 2)
        #expect(confirmed.withLockedValue(\.self) == 2 && store.renewals.withLockedValue(\.self) == 1)
        await system.stop()
    }

    /// They come with status 400, which says nothing of that.
    @Test(arguments: [1, 2, 4, 17, 32, 341, 613])
    func `104 says to try later when the provider has a problem that passes`(code: Int) async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        system.graph.refuse(with: [GraphRefusal(code)])
        let problem = await system.graphOutcome().problem
        #expect(problem?.code == .serviceFailure && problem?.status == 400 && problem?.providerCode == code)
        #expect(problem?.nextStep == .tryLater && problem?.sentence.contains("in a few minutes") == true)
        await system.stop()
    }

    @Test func `104 believes a provider that calls an error transient, and no other`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        for (said, next) in [("true", AccountError.NextStep.tryLater), ("false", .useAnotherWay)] {
            let body = #"{"error":{"code":9007,"message":"No.","is_transient":\#(said)}}"#
            system.graph.fail(at: .profile, with: .answer(400, type: "text/javascript", body: body))
            #expect(await system.graphOutcome().problem?.nextStep == next)
        }
        system.graph.fail(at: .profile)
        system.graph.refuse(with: [GraphRefusal(100)])
        #expect(await system.graphOutcome().problem?.nextStep == .useAnotherWay)
        await system.stop()
    }

    @Test func `104 does not retry other errors`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        system.graph.refuse(with: [GraphRefusal(4)])
        #expect(await system.graphOutcome().problem?.providerCode == 4)
        #expect(system.graph.received.count == 1)
        await system.stop()
    }
}
