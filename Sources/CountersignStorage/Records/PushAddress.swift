/// The address of a push message: one app on one device.
public struct PushAddress: Sendable, Hashable {
    /// The service that brings the message to the device.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        /// Apple Push Notification service.
        case apple
        /// Firebase Cloud Messaging.
        case google
    }

    /// The service that brings the message.
    public var service: Service
    /// The token of the app on the device, as the service knows it. It is an address, and no secret that proves
    /// anything.
    public var token: String
    /// The app: its bundle identifier at Apple, its project at Google; `nil` for the one that the operator configured.
    public var app: String?
    /// Whether the app was made for development, so that its messages go to the sandbox.
    public var isDevelopment: Bool

    /// Creates an address.
    public init(_ service: Service, token: String, app: String? = nil, isDevelopment: Bool = false) {
        self.service = service
        self.token = token
        self.app = app
        self.isDevelopment = isDevelopment
    }
}
