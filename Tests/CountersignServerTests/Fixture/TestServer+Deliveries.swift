import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

extension TestServer {
    /// The messages that are due.
    func dueMessages() async throws -> [Delivery] {
        let now = clock.date
        return try await store.read { try $0.deliveries.due(in: .messages, at: now, limit: 100) }
    }

    /// The tokens of the due push messages about changes of an account, in order.
    func pushedChanges() async throws -> [String] {
        try await dueMessages().compactMap { delivery in
            guard case .push(PushPayload(nil), to: let address) = delivery.content else { return nil }
            return address.token
        }.sorted()
    }
}

extension TestApprover {
    /// Registers the device for push messages, with the token `00ffa0`.
    func registerForPush() async throws {
        let answer = try await register {
            ($0.platform, $0.appID, $0.pushToken, $0.isPushEnabled) = ("iOS", "com.example.bank", "00ffa0", true)
        }
        #expect(answer.status == .ok, "\(answer.text)")
    }

    /// A code of the person to type on a screen, which the device shows.
    func newCode() async throws -> PersonCode {
        try await send(.post, "person-code").json(PersonCodeResponse.self).code
    }
}
