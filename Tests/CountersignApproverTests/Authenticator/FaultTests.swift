import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

/// Feature 142: each call, under each fault, ends in exactly one typed result.
@Suite("Every call of a device")
struct DeviceFaultTests {
    /// The calls of a device.
    enum Call: String, CaseIterable, Sendable {
        case register, pushToken, phoneNumber, verificationCode, registration, unregister, quiet, environments, join
        case leave, inbox, look, answer, devices, rename, revoke, personCode

        /// Makes the call.
        func make(on device: Approver, _ shown: WaitingRequest) async throws(ApprovalError) {
            let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
            switch self {
            case .register: _ = try await device.register()
            case .pushToken: try await device.register(pushToken: "t", isEnabled: true, isDevelopment: false)
            case .phoneNumber:
                guard let number = try? PhoneNumber("+31612345678") else {
                    Issue.record("no number")
                    return
                }
                try await device.register(phoneNumber: number)
            case .verificationCode: try await device.register(verificationCode: "12345")
            case .registration: _ = try await device.registration()
            case .unregister: try await device.unregister()
            case .quiet: try await device.quiet(for: .seconds(1))
            case .personCode: _ = try await device.personCode()
            case .environments: _ = try await device.customerSites()
            case .join: try await device.register(in: environment, by: EnrollmentTicket(revealing: "ticket"))
            case .leave: try await device.unregister(from: environment)
            case .inbox: _ = try await device.waitingRequests()
            case .look: _ = try await device.request(SignInRequest.ID("r1"))
            case .answer: try await device.answer(.deny, to: shown)
            case .devices: _ = try await device.devices()
            case .rename: try await device.rename(DeviceRegistration.ID("d2"), to: "Kitchen")
            case .revoke: try await device.revoke(DeviceRegistration.ID("d2"))
            }
        }

        /// Whether success has no message.
        var isDoneWithoutWords: Bool { [.unregister, .quiet, .join, .leave, .rename, .revoke].contains(self) }
    }

    /// A fault, and the error code that the call ends in.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: ScriptedTransport.Reply
        let code: ApprovalError.Code

        init(_ name: String, _ reply: ScriptedTransport.Reply, _ code: ApprovalError.Code) {
            (testDescription, self.reply, self.code) = (name, reply, code)
        }
    }

    static let faults = [
        Fault("no such host", .failure(TransportError(.notReached, because: "no such host")), .unreachable),
        Fault("a pin that does not match", .failure(TransportError(.notTrusted, because: "pin")), .notTrusted),
        Fault("an answer that is too long", .failure(TransportError(.tooLarge, because: "")), .badAnswer),
        Fault("400", .error(.invalidRequest), .refused),
        Fault("401", .status(.unauthorized), .signedOut),
        Fault("403", .status(.forbidden), .notPermitted),
        Fault("404", .status(.notFound), .badAnswer),
        Fault("429", .status(.tooManyRequests), .busy),
        Fault("500", .status(.internalServerError), .unreachable),
        Fault("502", .status(.badGateway), .unreachable),
        Fault("503", .status(.serviceUnavailable), .unreachable),
        Fault("a redirect", .status(.found), .badAnswer),
        Fault("bad JSON", .text("{", type: "application/json"), .badAnswer),
        Fault("another message", .text("{\"a\":1}", type: "application/json"), .badAnswer),
        Fault("a page", .text("<html>", type: "text/html"), .badAnswer),
        Fault("no body", .status(.ok), .badAnswer),
        Fault("no content", .status(.noContent), .badAnswer),
    ]

    private static let paths = [
        "/authenticator/device", "/authenticator/quiet", "/authenticator/environments", "/authenticator/inbox",
        "/authenticator/environments/2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d", "/approver/look",
        "/approver/decide", "/authenticator/devices", "/authenticator/devices/d2", "/authenticator/person-code",
    ]

    @Test(arguments: Call.allCases, faults)
    func `ends in one result under each fault`(call: Call, fault: Fault) async throws {
        let fixture = AuthenticatorFixture()
        let shown = try await fixture.shown()
        for path in Self.paths { fixture.transport.reply(at: path, with: fault.reply) }
        let device = fixture.approver
        let found = await code { () async throws(ApprovalError) in try await call.make(on: device, shown) }
        // An answer without words is all that some calls want.
        let isFine = call.isDoneWithoutWords && fault.code == .badAnswer && Self.isSuccess(fault.reply)
        // A decision may have been recorded although its answer was too long, or the server failed after it.
        let isOpen = call == .answer && ["an answer that is too long", "500", "502"].contains(fault.testDescription)
        #expect(found == (isFine ? nil : isOpen ? .outcomeUnknown : fault.code))
    }

    private static func isSuccess(_ reply: ScriptedTransport.Reply) -> Bool {
        guard case .answer(let answer) = reply else { return false }
        return answer.response.status.kind == .successful
    }

    @Test(arguments: Call.allCases)
    func `ends when it is cancelled`(call: Call) async throws {
        let fixture = AuthenticatorFixture()
        let shown = try await fixture.shown()
        for path in Self.paths { fixture.transport.reply(at: path, with: .silence) }
        let (device, before) = (fixture.approver, fixture.transport.sent().count)
        let calling = Task { await code { () async throws(ApprovalError) in try await call.make(on: device, shown) } }
        while fixture.transport.sent().count == before { await Task.yield() }
        calling.cancel()
        // Whether a decision arrived is not known once it was sent.
        #expect(await calling.value == (call == .answer ? .outcomeUnknown : .cancelled))
    }

    @Test(arguments: Call.allCases)
    func `needs a server that offers it, and whose certificate is good`(call: Call) async throws {
        for (reply, expected) in [
            (
                ScriptedTransport.Reply.failure(TransportError(.notTrusted, because: "pin")),
                ApprovalError.Code.notTrusted
            ),
            (.failure(TransportError(.notReached, because: "")), .unreachable),
            (.json(AuthorizationServerMetadata(issuer: "https://id.example.com")), .notOffered),
            (.json(AuthorizationServerMetadata(issuer: "https://evil.test")), .badAnswer),
        ] {
            let shown = try await AuthenticatorFixture().shown()
            let fixture = AuthenticatorFixture()
            fixture.transport.reply(at: AuthenticatorFixture.metadataPath, with: reply)
            let device = fixture.approver
            let found = await code { () async throws(ApprovalError) in try await call.make(on: device, shown) }
            #expect(found == expected)
            #expect(fixture.transport.sent().allSatisfy { $0.path == AuthenticatorFixture.metadataPath })
        }
    }

    @Test(arguments: Call.allCases)
    func `needs a device that is signed in`(call: Call) async throws {
        struct SignedOut: Error {}
        let shown = try await AuthenticatorFixture().shown()
        let fixture = AuthenticatorFixture(token: { throw SignedOut() })
        let device = fixture.approver
        #expect(await code { () async throws(ApprovalError) in try await call.make(on: device, shown) } == .signedOut)
    }

    @Test func `needs a device that is known`() async throws {
        let unknown = AuthenticatorFixture()
        let body = OAuthErrorResponse(OAuthError(.invalidRequest, because: ""))
        unknown.transport.reply(at: "/authenticator/device", with: .json(body, status: .notFound))
        let other = unknown.approver
        #expect(
            await code { () async throws(ApprovalError) in _ = try await other.registration() } == .notRegistered)
    }
}
