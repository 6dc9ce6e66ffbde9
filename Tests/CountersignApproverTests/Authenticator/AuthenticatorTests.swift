import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

/// Features 115, 119, 123 to 128.
@Suite("An authenticator")
struct AuthenticatorTests {
    private let fixture = AuthenticatorFixture()

    private func answers(_ replies: ScriptedTransport.Reply...) {
        fixture.transport.reply(at: "/authenticator/device", with: replies)
    }

    @Test func `made early registers its device with the app's key, and after a restart the same one`() async throws {
        #expect(fixture.transport.sent().isEmpty)
        answers(
            .json(OAuthErrorResponse(OAuthError(.invalidRequest, because: "")), status: .notFound),
            .json(fixture.registration(.unverified)))
        let first = await fixture.approver.checkRegistration()
        #expect(first == .phoneNumberNeeded(fixture.registration(.unverified)))
        #expect(try fixture.said.map(\.appKey) == ["app-key"])
        answers(.json(fixture.registration(.verified)))
        _ = try await fixture.restarted.register()
        #expect(fixture.transport.sent(to: "/authenticator/device").map(\.request.method) == [.get, .put, .put])
        #expect(try fixture.said.last?.platform == "Linux")
        for said in try fixture.said {
            let proof = try UnverifiedDeviceKeyProof(try #require(said.keyProof))
            let key = try proof.key(for: "https://id.example.com", presenting: AccessToken(revealing: "token"))
            #expect(key == fixture.key.publicKey)
        }
        let bearer = fixture.transport.sent(to: "/authenticator/device").map { $0.request.headerFields[.authorization] }
        #expect(Set(bearer) == ["Bearer token"])
    }

    @Test func `sends its push token in hexadecimal digits, with both flags`() async throws {
        answers(.json(fixture.registration(.verified)))
        try await fixture.approver.register(
            pushToken: [0x00, 0xFF, 0xA0] as [UInt8], isEnabled: true, isDevelopment: false)
        try await fixture.approver.register(pushToken: "fcm:Token", isEnabled: false, isDevelopment: true)
        let said = try fixture.said
        #expect(said.map(\.pushToken) == ["00ffa0", "fcm:Token"])
        #expect(said.map(\.isPushEnabled) == [true, false] && said.map(\.isDevelopment) == [false, true])
    }

    @Test func `registers once at a time, however many calls there are`() async throws {
        answers(.json(fixture.registration(.verified)))
        let approver = fixture.approver
        try await withThrowingTaskGroup(of: DeviceRegistration.ID.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await approver.register(
                        pushToken: [UInt8(number)], isEnabled: true, isDevelopment: false
                    ).id
                }
            }
            var ids: Set<DeviceRegistration.ID> = []
            for try await id in group { ids.insert(id) }
            #expect(ids == [DeviceRegistration.ID("d1")])
        }
        #expect(fixture.transport.sent(to: "/authenticator/device").allSatisfy { $0.request.method == .put })
        #expect(try fixture.said.count == 20)
    }

    @Test func `registers a number, and proves it by the code`() async throws {
        answers(.json(fixture.registration(.pending)), .json(fixture.registration(.verified)))
        let pending = try await fixture.approver.register(phoneNumber: PhoneNumber("06 12345678", dialledIn: "NL"))
        #expect(pending.status == .pending)
        #expect(try await fixture.approver.register(verificationCode: " ١2\u{A0}3-45").status == .verified)
        #expect(try fixture.said.map(\.phoneNumber) == ["+31612345678", nil])
        #expect(try fixture.said.map(\.verificationCode) == [nil, "12345"])
    }

    @Test func `says that a code is wrong, or that there were too many`() async throws {
        answers(.error(.invalidGrant), .status(.tooManyRequests))
        let approver = fixture.approver
        #expect(
            await code { () async throws(ApprovalError) in try await approver.register(verificationCode: "1") }
                == .wrongCode)
        #expect(
            await code { () async throws(ApprovalError) in try await approver.register(verificationCode: "1") }
                == .busy)
    }

    @Test(arguments: RegistrationStatus.allCases)
    func `says at the start and in the foreground what its person has to do`(status: RegistrationStatus) async throws {
        answers(.json(fixture.registration(status)))
        let registration = fixture.registration(status)
        let expected: RegistrationCheck =
            switch status {
            case .verified: .verified(registration)
            case .pending: .codeNeeded(registration)
            case .unverified: .phoneNumberNeeded(registration)
            }
        #expect(await fixture.approver.checkRegistration() == expected)
        #expect(try await fixture.approver.keptRegistration() == registration)
    }

    @Test func `is not signed out by a start without a network`() async throws {
        answers(.json(fixture.registration(.verified)))
        _ = await fixture.approver.checkRegistration()
        answers(.failure(TransportError(.notReached, because: "")))
        guard case .unknown(let last, let error) = await fixture.restarted.checkRegistration() else {
            Issue.record("an offline start changes nothing")
            return
        }
        #expect(last?.status == .verified && error.code == .unreachable)
        answers(.status(.serviceUnavailable))
        guard case .unknown(let last?, _) = await fixture.restarted.checkRegistration() else {
            Issue.record("a server in trouble changes nothing")
            return
        }
        #expect(last.id == DeviceRegistration.ID("d1"))
        answers(.status(.unauthorized))
        #expect(await fixture.restarted.checkRegistration() == .signedOut)
    }

    @Test func `asks for the number again when the server has revoked it`() async throws {
        answers(.json(fixture.registration(.verified)), .json(fixture.registration(.unverified)))
        #expect(await fixture.approver.checkRegistration() == .verified(fixture.registration(.verified)))
        #expect(
            await fixture.approver.checkRegistration() == .phoneNumberNeeded(fixture.registration(.unverified)))
    }

    @Test func `ends its registration, and keeps nothing of it`() async throws {
        answers(.json(fixture.registration(.verified)), .status(.noContent))
        _ = try await fixture.approver.register()
        #expect(!fixture.items.all.isEmpty)
        try await fixture.approver.unregister()
        #expect(fixture.items.all.isEmpty)
        #expect(fixture.transport.sent(to: "/authenticator/device").last?.request.method == .delete)
    }

    /// The server has removed the device, and its answer was lost.
    private func losingAnswer() async throws {
        answers(.json(fixture.registration(.verified)))
        _ = try await fixture.approver.register()
        answers(.failure(TransportError(.interrupted, because: "")))
        let approver = fixture.approver
        #expect(
            await code { () async throws(ApprovalError) in try await approver.unregister() } == .unreachable)
        #expect(!fixture.items.all.isEmpty)
    }

    @Test(arguments: [401, 404, 204], [true, false])
    func `leaves nothing behind when it tries again after an answer that was lost`(
        status: Int,
        isRestarted: Bool
    ) async throws {
        try await losingAnswer()
        let gone = OAuthErrorResponse(OAuthError(.invalidRequest, because: ""))
        answers(status == 404 ? .json(gone, status: .notFound) : .status(.init(code: status)))
        try await (isRestarted ? fixture.restarted : fixture.approver).unregister()
        #expect(fixture.items.all.isEmpty)
    }

    @Test(arguments: [401, 404, 204])
    func `is not registered again by the next start after an answer that was lost`(status: Int) async throws {
        try await losingAnswer()
        answers(.failure(TransportError(.notReached, because: "")))
        guard case .unknown = await fixture.restarted.checkRegistration() else {
            Issue.record("without a network nothing is known")
            return
        }
        let gone = OAuthErrorResponse(OAuthError(.invalidRequest, because: ""))
        answers(status == 404 ? .json(gone, status: .notFound) : .status(.init(code: status)))
        #expect(await fixture.restarted.checkRegistration() == .signedOut)
        #expect(fixture.items.all.isEmpty)
        let methods = fixture.transport.sent(to: "/authenticator/device").map(\.request.method)
        #expect(methods == [.put, .delete, .delete, .delete])
    }

    @Test func `stays when it was registered anew since`() async throws {
        try await losingAnswer()
        answers(.json(fixture.registration(.verified)))
        _ = try await fixture.restarted.register()
        #expect(await fixture.restarted.checkRegistration() == .verified(fixture.registration(.verified)))
        #expect(fixture.transport.sent(to: "/authenticator/device").last?.request.method == .get)
    }

    @Test func `keeps nothing when the sign-in has ended before, and says so`() async throws {
        answers(.json(fixture.registration(.verified)), .status(.unauthorized))
        _ = try await fixture.approver.register()
        let approver = fixture.approver
        #expect(await code { () async throws(ApprovalError) in try await approver.unregister() } == .signedOut)
        #expect(fixture.items.all.isEmpty)
    }

    @Test func `keeps prompts away for a while`() async throws {
        fixture.transport.reply(at: "/authenticator/quiet", with: .status(.noContent))
        try await fixture.approver.quiet(for: .seconds(600))
        try await fixture.approver.quiet(for: .seconds(1_000_000))
        #expect(fixture.transport.sent(to: "/authenticator/quiet").map { $0.form["seconds"] } == ["600", "86400"])
    }

    @Test func `gets a code that its person types on a screen`() async throws {
        let message = PersonCodeResponse(code: PersonCode(revealing: "12345678"), expiresIn: 120)
        fixture.transport.reply(at: "/authenticator/person-code", with: .json(message))
        #expect(try await fixture.approver.personCode() == message)
        #expect(fixture.transport.sent(to: "/authenticator/person-code").last?.request.method == .post)
    }

    @Test func `asks once more with a new token when the server refuses the old one`() async throws {
        let account = try ApproverAccount.presenting("Bearer old", then: "Bearer new")
        let approver = Approver(
            for: account, as: .device(DeviceDetails(), keepingStateIn: fixture.items),
            keepingKeysIn: AuthenticatorFixture.Keys(key: fixture.key),
            in: ApproverContext(over: fixture.transport, clock: fixture.clock.skipping, random: .system))
        answers(.status(.unauthorized), .json(fixture.registration(.verified)))
        #expect(try await approver.registration().status == .verified)
        let tokens = fixture.transport.sent(to: "/authenticator/device").map { $0.request.headerFields[.authorization] }
        #expect(tokens == ["Bearer old", "Bearer new"])
    }
}
