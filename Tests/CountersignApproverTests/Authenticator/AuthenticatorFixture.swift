import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers

/// A device that is signed in, and a server that says what a test wrote down.
struct AuthenticatorFixture: Sendable {
    static let metadataPath = "/.well-known/oauth-authorization-server"

    struct Keys: ApproverKeyStore {
        let key: ApproverPrivateKey
        func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner { key }
    }

    /// The items that the device keeps, in memory.
    final class Items: AuthenticatorStore {
        private let items = NIOLockedValueBox<[AuthenticatorItem: [UInt8]]>([:])

        func load(_ item: AuthenticatorItem) -> [UInt8]? { items.withLockedValue { $0[item] } }
        func save(_ bytes: [UInt8], for item: AuthenticatorItem) { items.withLockedValue { $0[item] = bytes } }
        func remove(_ item: AuthenticatorItem) { items.withLockedValue { $0[item] = nil } }
        var all: [AuthenticatorItem: [UInt8]] { items.withLockedValue(\.self) }
    }

    let clock: ManualClock
    let transport = ScriptedTransport()
    let key = ApproverPrivateKey(drawingFrom: .system)
    let items = Items()
    let approver: Approver

    /// - Parameter time: Which of the clock's sources the device takes.
    init(
        _ clock: ManualClock = ManualClock(),
        time: (ManualClock) -> TimeSource = { $0.skipping },
        token: @escaping @Sendable () async throws -> AccessToken = { AccessToken(revealing: "token") }
    ) {
        self.clock = clock
        approver = Self.device(key, items, transport, time(clock), token)
        transport.reply(at: Self.metadataPath, with: .json(metadata))
    }

    /// The same device after a restart of its app.
    var restarted: Approver {
        Self.device(key, items, transport, clock.skipping) { AccessToken(revealing: "token") }
    }

    private static func device(
        _ key: ApproverPrivateKey,
        _ items: Items,
        _ transport: ScriptedTransport,
        _ time: TimeSource,
        _ token: @escaping @Sendable () async throws -> AccessToken
    ) -> Approver {
        var details = DeviceDetails()
        details.appKey = "app-key"
        details.platform = "Linux"
        let issuer: Issuer
        do {
            issuer = try Issuer("https://id.example.com")
        } catch {
            preconditionFailure("\(error)")
        }
        return Approver(
            for: ApproverAccount(id: ApproverAccount.ID("anna"), issuer: issuer, accessToken: token),
            as: .device(details, keepingStateIn: items),
            keepingKeysIn: Keys(key: key),
            in: ApproverContext(over: transport, clock: time, random: .system)
        )
    }

    var metadata: AuthorizationServerMetadata {
        var metadata = AuthorizationServerMetadata(issuer: "https://id.example.com")
        metadata.approverEndpoint = "https://id.example.com/approver"
        metadata.authenticatorEndpoint = "https://id.example.com/authenticator"
        return metadata
    }

    func registration(_ status: RegistrationStatus) -> DeviceRegistration {
        DeviceRegistration(
            id: DeviceRegistration.ID("d1"), status: status, isPushEnabled: false, isDevelopment: false)
    }

    /// The details that the device sent of itself, each time.
    var said: [DeviceDetails] {
        get throws {
            try transport.sent(to: "/authenticator/device").filter { $0.request.method == .put }.map { sent in
                try JSONDecoder().decode(DeviceDetails.self, from: Data(sent.body))
            }
        }
    }

    // MARK: Requests

    /// Seconds since 1970 of the server's clock, which is the device's unless a test says otherwise.
    var now: Int { Int(clock.date.timeIntervalSince1970) }

    func entry(_ id: String = "r1", lasting seconds: Int = 60) -> AuthenticatorInbox.Entry {
        AuthenticatorInbox.Entry(exchange: SignInRequest.ID(id), kind: .instant, asked: now, expires: now + seconds)
    }

    /// The list of the inbox as the server answers it.
    func listed(
        _ entries: [AuthenticatorInbox.Entry],
        cancelled: [SignInRequest.ID]? = nil,
        tag: String? = "\"1\""
    ) -> ScriptedTransport.Reply {
        var fields = HTTPFields()
        fields[.eTag] = tag
        var inbox = AuthenticatorInbox(requests: entries, serverTime: now)
        inbox.cancelled = cancelled
        return .json(inbox, fields: fields)
    }

    /// The look of a request, with spaces that nobody needs.
    func lookText(
        _ id: String = "r1",
        kind: String = "instant",
        channel: String? = nil,
        digits: Int? = nil,
        approval: String? = nil,
        scope: String = "openid",
        lasting seconds: Int = 60,
        serverTime: Int? = nil
    ) -> String {
        let time = serverTime ?? now
        let digits = digits.map { #""number_digits":\#($0),"# } ?? ""
        let conditions = approval.map { #""approval":\#($0),"# } ?? ""
        let pin = kind == "otp" ? #""pin":"12345","# : ""
        let site = #""environment":{"id":"2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d","name":"Bank"}"#
        let way = channel.map { #""channel":"\#($0)","device_name":"Kitchen TV","software":"Firefox, Linux""# } ?? site
        return #"""
            { "outcome":"decide","method":"inbox","exchange":"\#(id)","nonce":"nonce","auth_type":"\#(kind)","client_id":"bank",\#(digits)\#(conditions)\#(pin)
              "client_provenance":"verified","client_name":"The Bank","client_name_provenance":"verified",
              \#(way),
              "scope":"\#(scope)","binding_message":"Pay 10 euros","address":"192.0.2.7",
              "geoip":{"city":"Breda","country_code":"NL"},
              "asked":\#(time),"expires":\#(time + seconds),"now":\#(time),"account_name":"Anna", "more":[] }
            """#
    }

    func looks(_ text: String) {
        transport.reply(at: "/approver/look", with: .text(text, type: "application/json"))
    }

    func decided(_ answer: DecisionClaims.Answer, on id: String = "r1") {
        transport.reply(
            at: "/approver/decide",
            with: .json(ApproverDecideResponse(exchange: SignInRequest.ID(id), outcome: answer.outcome)))
    }

    func shown(_ text: String? = nil) async throws -> WaitingRequest {
        looks(text ?? lookText())
        return try await approver.request(SignInRequest.ID("r1"))
    }

    /// The decisions that were sent, each verified by the device's key.
    var decisions: [DecisionClaims] {
        get throws {
            try transport.sent(to: "/approver/decide").map { sent in
                try ApproverDecideRequest(form: sent.form).decision.claims(signedBy: key.publicKey)
            }
        }
    }
}

/// Runs `work`, and returns the code of the error that it throws; `nil` when it throws none.
func code(of work: () async throws(ApprovalError) -> Void) async -> ApprovalError.Code? {
    do throws(ApprovalError) {
        try await work()
        return nil
    } catch {
        return error.code
    }
}
