/// The address of an app on a device for push messages.
public struct PushAddress: Sendable, Hashable {
    /// A push service.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        /// Apple Push Notification service.
        case apple
        /// Firebase Cloud Messaging.
        case google
    }

    /// The push service.
    public var service: Service
    /// The push service's token of the app on the device; an address and no credential.
    public var token: String
    /// The app: its bundle identifier at Apple, its project at Google; `nil` for the configured one.
    public var app: String?
    /// Whether the app is a development build, whose messages go to the sandbox.
    public var isDevelopment: Bool

    /// Creates an address.
    public init(_ service: Service, token: String, app: String? = nil, isDevelopment: Bool = false) {
        self.service = service
        self.token = token
        self.app = app
        self.isDevelopment = isDevelopment
    }
}
