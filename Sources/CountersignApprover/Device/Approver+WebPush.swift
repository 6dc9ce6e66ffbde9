internal import Countersign
public import CountersignWire
internal import FoundationEssentialsCompat

extension Approver {
    /// Sends the address that a service of UnifiedPush or Web Push gave to the server, with keys that stay in the store
    /// of this device.
    ///
    /// The app subscribes there with the server's key, `DeviceRegistration.webPushKey`, which ``register(_:)`` returns.
    ///
    /// - Parameters:
    ///   - endpoint: The address for messages.
    ///   - random: The source of the secret for messages; `RandomSource.system` outside tests.
    /// - Returns: The state of the device.
    /// - Throws: ``ApprovalError`` as ``register(_:)``; `refused` for an address that is neither https nor http on this
    ///   machine, or that the server does not call.
    ///
    /// Standard: RFC 8291 §2, RFC 8292 §4.
    @discardableResult
    public func register(
        webPushAt endpoint: String, drawingFrom random: RandomSource
    ) async throws(ApprovalError) -> DeviceRegistration {
        let store = try device().store
        let receiver = try await webPushReceiver() ?? WebPushReceiver(drawingFrom: random)
        guard let subscription = receiver.subscription(at: endpoint) else {
            throw ApprovalError(.refused, because: "the address for push messages is no https address")
        }
        try await store.keep(receiver.secretBytes, as: .webPushKeys(of: account))
        var change = DeviceDetails()
        change.pushSubscription = subscription
        change.isPushEnabled = true
        return try await register(change)
    }

    /// Decrypts a message that came by UnifiedPush or Web Push, for ``received(_:)``.
    ///
    /// - Parameter body: The message, as the push service delivered it.
    /// - Returns: The identifiers in the message.
    /// - Throws: ``ApprovalError`` `badAnswer` for a message that is not for this device, `storeUnusable`.
    ///
    /// Standard: RFC 8291 §4.
    public func payload(ofWebPush body: [UInt8]) async throws(ApprovalError) -> PushPayload {
        guard let content = try await webPushReceiver()?.opened(body),
            let members = try? JSONDecoder().decode([String: String].self, from: Data(content))
        else { throw ApprovalError(.badAnswer, because: "the push message is not for this device") }
        return PushPayload(members)
    }

    /// The keys for messages; `nil` when there are none yet.
    private func webPushReceiver() async throws(ApprovalError) -> WebPushReceiver? {
        let bytes: [UInt8]? = try await device().store.message(.webPushKeys(of: account))
        return bytes.flatMap { WebPushReceiver(restoring: $0) }
    }
}

extension AuthenticatorItem {
    /// The keys for messages by Web Push.
    static func webPushKeys(of account: ApproverAccount.ID) -> Self { Self("web-push \(account)") }
}
