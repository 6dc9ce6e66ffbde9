package import CountersignWire

/// The address of an app on a device for push messages.
public struct PushAddress: Sendable, Hashable {
    /// A push service.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        /// Apple Push Notification service.
        case apple
        /// Firebase Cloud Messaging.
        case google
        /// A service of UnifiedPush or Web Push, which the address names itself.
        case web
    }

    /// The push service.
    public var service: Service
    /// The push service's token of the app on the device, an address and no credential; the subscription as JSON for
    /// ``Service/web``.
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

    /// Creates an address of a browser, or of an app of UnifiedPush.
    package init(_ subscription: WebPushSubscription) {
        self.init(.web, token: subscription.text)
    }

    /// The subscription; `nil` for the address at another kind of service.
    package var subscription: WebPushSubscription? {
        switch service {
        case .web: WebPushSubscription(parsing: token)
        case .apple, .google: nil
        }
    }
}
