import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

/// Features 78 to 97 of the accounts that a system holds, each by its number.
@Suite("Reverse authentication")
struct ReverseAuthTests {
    @Test func `78 79 80 gives key and secret, a long id and both names, and no page is asked for`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let credentials = try await system.twitterOutcome().get()
        #expect(credentials.id == "9007199254740993")
        #expect(credentials.name == "Anna Müller 🦉")
        #expect(credentials.screenName == "anna")
        #expect(credentials.token.token.rawValue.hasPrefix("9007199254740993-"))
        #expect(system.twitter.forged.isEmpty)
        let paths = system.twitter.received.map(\.path)
        #expect(paths == ["/oauth/request_token", "/oauth/access_token", "/1.1/account/verify_credentials.json"])
        #expect(!"\(credentials)".contains(credentials.token.secret.revealed))
        await system.stop()
    }

    @Test(arguments: [
        ("https://pbs.example/a_normal.jpeg", "https://pbs.example/a_400x400.jpeg"),
        ("https://pbs.example/a.png", "https://pbs.example/a.png"),
        ("https://pbs.example/normal/a_normal.png", "https://pbs.example/normal/a_400x400.png"),
    ])
    func `81 has the address of the large picture`(avatar: String, large: String) async throws {
        let system = try await AccountsUnderTest()
        var anna = TwitterPerson()
        anna.avatar = avatar
        try await system.addTwitter(anna)
        #expect(try await system.twitterOutcome().get().avatar == large)
        await system.stop()
    }

    @Test(
        arguments: [
            (.address("anna@example.com"), "anna@example.com"), (.null, nil), (.absent, nil), (.address(""), nil),
        ] as [(TwitterEmail, String?)]
    )
    func `82 has an e-mail address or none`(email: TwitterEmail, read: String?) async throws {
        let system = try await AccountsUnderTest()
        var anna = TwitterPerson()
        anna.email = email
        try await system.addTwitter(anna)
        #expect(try await system.twitterOutcome().get().email == read)
        await system.stop()
    }

    @Test func `83 signs further calls with the credentials`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let credentials = try await system.twitterOutcome().get()
        let address = "\(system.twitter.base)/1.1/statuses/update.json"
        let form = [OAuth1Parameter("status", "Hello Ladies + Gentlemen, a signed OAuth request!")]
        let signer = credentials.signer(clock: system.clock.source, drawingFrom: .system)
        let header = try signer.sign(OAuth1Request(.post, address, form: form)).header
        let answer = try await AccountAttempt.send(
            .post,
            to: address,
            authorization: header,
            form: form,
            at: .profile,
            over: SystemTransport.make(),
            within: .seconds(60)
        )
        #expect(answer.response.status == .ok)
        #expect(answer.text?.contains(#""user":"anna""#) == true)
        await system.stop()
    }

    @Test func `84 94 is unconfigured without credentials, before anything is asked`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let problem = await #expect(throws: AccountError.self) {
            try await system.reverseAuth(isConfigured: false).perform { $0.first?.id }
        }
        #expect(problem?.code == .unconfigured && problem?.nextStep == .changeApp)
        #expect(system.asked.withLockedValue(\.isEmpty) && system.twitter.received.isEmpty)
        await system.stop()
    }

    @Test func `85 is performed once`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let attempt = system.reverseAuth()
        _ = try await attempt.perform { $0.first?.id }
        await #expect(throws: AccountError(.alreadyPerformed, because: "")) {
            try await attempt.perform { $0.first?.id }
        }
        #expect(system.twitter.received.count == 3)
        await system.stop()
    }

    @Test func `86 lets the person choose among accounts`() async throws {
        let system = try await AccountsUnderTest()
        for number in 1...3 {
            var person = TwitterPerson()
            person.id = "900719925474099\(number)"
            person.screenName = "anna\(number)"
            try await system.addTwitter(person)
        }
        let credentials = try await system.reverseAuth().perform { accounts in
            accounts.count == 3 ? accounts.first { $0.name == "@anna2" }?.id : nil
        }
        #expect(credentials.screenName == "anna2" && credentials.id == "9007199254740992")
        await system.stop()
    }

    @Test func `90 has no account`() async throws {
        let system = try await AccountsUnderTest()
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == .noAccount && problem?.nextStep == .openSettings)
        #expect(system.asked.withLockedValue(\.count) == 0)
        let six = FailingAccounts(SystemAccountStoreError(number: 6, info: nil))
        for store in [six, FailingAccounts(nil)] {
            await #expect(throws: AccountError(.noAccount, because: "")) {
                try await system.reverseAuth(store).perform { $0.first?.id }
            }
        }
        await system.stop()
    }

    @Test func `91 has no permission`() async throws {
        let system = try await AccountsUnderTest(allowing: false)
        try await system.addTwitter()
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == .accessNotGranted && problem?.nextStep == .openSettings)
        #expect(system.twitter.received.isEmpty)
        await #expect(throws: AccountError(.accessNotGranted, because: "")) {
            try await system.reverseAuth(FailingAccounts(SystemAccountStoreError(number: 7, info: nil)))
                .perform { $0.first?.id }
        }
        await system.stop()
    }

    @Test(arguments: [nil, SystemAccount.ID("somebody-else")])
    func `92 ends when no account is chosen`(choice: SystemAccount.ID?) async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        await #expect(throws: AccountError(.choiceCancelled, because: "")) {
            try await system.reverseAuth().perform { _ in choice }
        }
        #expect(system.twitter.received.isEmpty)
        await system.stop()
    }

    @Test(arguments: TwitterProvider.Suspension.allCases)
    func `93 knows a suspended account`(suspension: TwitterProvider.Suspension) async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        system.twitter.suspension = suspension
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == .accountSuspended && problem?.nextStep == .askProvider)
        #expect(problem?.providerCode == (suspension == .errorCode ? 64 : nil))
        await system.stop()
    }

    @Test func `93 does not take a long answer for a suspension`() async throws {
        let system = try await AccountsUnderTest()
        var anna = TwitterPerson()
        anna.screenName = String(repeating: "a", count: 4000)
        try await system.addTwitter(anna)
        #expect(try await system.twitterOutcome().get().screenName.count == 4000)
        let old = #"<errors><error code="64">Suspended</error></errors>"#
        system.twitter.fail(at: .accessToken, with: .answer(403, type: "text/xml", body: old))
        #expect(await system.twitterOutcome().problem?.code == .accountSuspended)
        system.twitter.fail(at: .accessToken, with: .answer(502, type: "text/html", body: "<html>Bad gateway</html>"))
        #expect(await system.twitterOutcome().problem?.code == .serviceFailure)
        await system.stop()
    }

    @Test(
        arguments: [TwitterProvider.Step.requestToken, .accessToken, .profile],
        [
            (ProviderFault.refused, TransportError.Code.notReached), (.unknownHost, .notReached), (.noTLS, .notTrusted),
            (.reset, .interrupted), (.truncated, .interrupted), (.silence, .timedOut),
        ]
    )
    func `95 tells of the network, with the reason`(
        step: TwitterProvider.Step,
        fault: (ProviderFault, TransportError.Code)
    ) async throws {
        let system = try await AccountsUnderTest(meeting: fault.0, at: step)
        try await system.addTwitter()
        system.twitter.fail(at: step, with: fault.0)
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == .networkFailure && problem?.step?.rawValue == step.rawValue)
        // A port without TLS ends a handshake in one of two ways.
        #expect(problem?.transport == fault.1 || fault.0 == .noTLS)
        #expect(problem?.reason.isEmpty == false)
        await system.stop()
    }

    @Test(
        arguments: [TwitterProvider.Step.requestToken, .accessToken, .profile],
        [
            ProviderFault.status(400), .status(401), .status(403), .status(429), .status(500), .status(503), .badUTF8,
            .huge,
            .answer(200, type: "application/json", body: "{}"), .answer(200, type: "text/plain", body: ""),
            .answer(200, type: "text/plain", body: "OAuth2 something"),
        ]
    )
    func `96 tells of the service`(step: TwitterProvider.Step, fault: ProviderFault) async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        system.twitter.fail(at: step, with: fault)
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == .serviceFailure && problem?.step?.rawValue == step.rawValue)
        if case .status(let status) = fault {
            #expect(problem?.status == status)
            #expect(problem?.nextStep == (status == 429 || status >= 500 ? .tryLater : .useAnotherWay))
        }
        await system.stop()
    }

    @Test(arguments: [
        (TwitterProvider.Step.accessToken, "oauth_token"), (.accessToken, "oauth_token_secret"), (.profile, "id_str"),
        (.profile, "name"), (.profile, "screen_name"), (.profile, "profile_image_url_https"),
    ])
    func `96 needs every field`(step: TwitterProvider.Step, field: String) async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        system.twitter.fail(at: step, with: .missing(field))
        #expect(await system.twitterOutcome().problem?.code == .serviceFailure)
        await system.stop()
    }

    @Test(
        arguments: [TwitterProvider.Step.requestToken, .accessToken, .profile],
        [
            ("64", AccountError.Code.accountSuspended, AccountError.NextStep.askProvider),
            ("326", .accountLocked, .askProvider), ("135", .wrongTime, .setClock), ("88", .serviceFailure, .tryLater),
            ("130", .serviceFailure, .tryLater), ("131", .serviceFailure, .tryLater),
            ("32", .serviceFailure, .useAnotherWay),
            // Of several errors, the one that says what to do counts.
            ("32},{\"code\":326", .accountLocked, .askProvider), ("32},{\"code\":135", .wrongTime, .setClock),
            ("326},{\"code\":64", .accountSuspended, .askProvider),
        ]
    )
    func `93 96 says what to do about each error`(
        step: TwitterProvider.Step,
        error: (String, AccountError.Code, AccountError.NextStep)
    ) async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let body = #"{"errors":[{"code":\#(error.0)}]}"#
        system.twitter.fail(at: step, with: .answer(403, type: "application/json", body: body))
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == error.1 && problem?.nextStep == error.2)
        await system.stop()
    }

    @Test func `96 reads every error of the older form`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let old = #"<errors><error code="32">No</error><error code="326">Locked</error></errors>"#
        system.twitter.fail(at: .accessToken, with: .answer(403, type: "text/xml", body: old))
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == .accountLocked && problem?.providerCode == 326)
        await system.stop()
    }

    @Test func `96 tells that the system's account is signed out`() async throws {
        let system = try await AccountsUnderTest()
        let account = try await system.addTwitter()
        let token = TokenCredentials(token: OAuth1Token("gone"), secret: OAuth1Secret(revealing: "gone"))
        try await system.accounts.add(account, with: .oauth1(client: system.twitter.system, token: token))
        let problem = await system.twitterOutcome().problem
        #expect(problem?.code == .newSignInNeeded && problem?.providerCode == 215)
        #expect(problem?.nextStep == .openSettings)
        await system.stop()
    }

    @Test(arguments: [(1, "x"), (8, "access info invalid"), (7, "wrong bundle id"), (14, nil)])
    func `97 tells of the store`(number: Int, info: String?) async throws {
        let system = try await AccountsUnderTest()
        let store = FailingAccounts(SystemAccountStoreError(number: number, info: info))
        let problem = await #expect(throws: AccountError.self) {
            try await system.reverseAuth(store).perform { $0.first?.id }
        }
        #expect(problem?.code == .storeFailure && problem?.reason.contains("\(number)") == true)
        await system.stop()
    }

    @Test func `88 89 ends once, also when it is cancelled while a person thinks`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let attempt = system.reverseAuth()
        let task = Task {
            try await attempt.perform { _ in
                asking.yield()
                // A dialog that does not hear of the end.
                await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
                    kept.withLockedValue { $0.append(never) }
                }
                return nil
            }
        }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: AccountError(.cancelled, because: "")) { try await task.value }
        kept.withLockedValue { for one in $0 { one.resume() } }
        await system.stop()
    }

    private let kept = NIOLockedValueBox<[CheckedContinuation<Void, Never>]>([])

    @Test func `89 ends once when it is cancelled while the provider is silent`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        let network = ScriptedTransport(["/oauth/request_token": [.silence]])
        let attempt = system.reverseAuth(over: network)
        let task = Task { try await attempt.perform { $0.first?.id } }
        await network.requests(to: "/oauth/request_token")
        task.cancel()
        await #expect(throws: AccountError(.cancelled, because: "")) { try await task.value }
        await system.stop()
    }

    @Test func `says what to try for every problem`() {
        for code in AccountError.Code.allCases {
            let problem = AccountError(code, because: "")
            #expect(problem.sentence.hasSuffix(".") && problem.sentence.count > 20)
        }
    }
}
