public import FoundationEssentialsCompat

/// Sends push messages to apps.
///
/// A call must end within ``DeliveryTimes/longestCall``.
public protocol PushService: Sendable {
    /// Whether it serves addresses of this kind.
    ///
    /// - Parameter service: The service of an address.
    func serves(_ service: PushAddress.Service) -> Bool
    /// Sends a message, once.
    ///
    /// - Parameter message: The address, the identifiers and the expiry.
    /// - Returns: The outcome of the attempt.
    func send(_ message: PushMessage) async -> DeliveryOutcome
}

/// A push message to send.
public struct PushMessage: Sendable, Equatable {
    /// The identifier, the same in every attempt.
    public let id: Delivery.ID
    /// The address of the app.
    public let address: PushAddress
    /// The content: identifiers only.
    public let payload: PushPayload
    /// The expiry of the message.
    public let expires: Date
    /// The words of the notification, which reveal nothing about the request.
    let words: String

    /// Creates a message.
    public init(id: Delivery.ID, to address: PushAddress, _ payload: PushPayload, expires: Date) {
        self.init(id: id, to: address, payload, saying: Self.words(for: payload.kind), expires: expires)
    }

    init(id: Delivery.ID, to address: PushAddress, _ payload: PushPayload, saying words: String, expires: Date) {
        self.id = id
        self.address = address
        self.payload = payload
        self.words = words
        self.expires = expires
    }

    /// The words for apps, which have texts of their own.
    private static func words(for kind: PushPayload.Kind?) -> String {
        switch kind {
        case .instant: "A sign-in is waiting. Is it yours?"
        case .oneTimePassword: "A one-time password is ready."
        case .scan: "Scan the code on the other screen."
        case nil: "Open the app to see what has changed."
        }
    }

    /// The identifier with which a later message about the same request replaces an earlier one, at most 64 bytes.
    var collapseID: String {
        let matter = payload.request?.rawValue ?? payload.environment?.rawValue ?? id.rawValue
        return matter.utf8.count <= 64 ? matter : String(decoding: Array(matter.utf8.prefix(64)), as: UTF8.self)
    }
}
