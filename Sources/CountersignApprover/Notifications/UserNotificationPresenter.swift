// Not compiled on Linux, where this project is built: read it against the system's documentation before relying on it.
#if canImport(UserNotifications)
public import Countersign
public import CountersignWire
public import UserNotifications

/// Notifications of Apple's systems.
///
/// Make it the delegate of `UNUserNotificationCenter.current()` before the app has finished launching.
public final class UserNotificationPresenter: NSObject, NotificationPresenter, UNUserNotificationCenterDelegate {
    /// The events of the notifications.
    public let events: AsyncStream<NotificationEvent>
    private let continuation: AsyncStream<NotificationEvent>.Continuation

    /// A presenter that knows no categories yet.
    public override init() {
        (events, continuation) = AsyncStream.makeStream()
        super.init()
    }

    deinit { continuation.finish() }

    /// Registers the categories with the system, and asks the person for permission.
    ///
    /// - Returns: Whether the person allows notifications.
    public func register(_ categories: [NotificationCategory]) async throws -> Bool {
        let center = UNUserNotificationCenter.current()
        center.setNotificationCategories(Set(categories.map(UNNotificationCategory.init)))
        let options = categories.reduce(into: UNAuthorizationOptions()) { options, category in
            if category.options.contains(.alert) { options.insert(.alert) }
            if category.options.contains(.sound) { options.insert(.sound) }
            if category.options.contains(.badge) { options.insert(.badge) }
        }
        return try await center.requestAuthorization(options: options)
    }

    /// Shows a notification, in place of one of the same request. Its buttons are those of its category.
    public func present(_ notification: RequestNotification, actions: [NotificationAction]) async throws {
        let content = UNMutableNotificationContent()
        content.title = notification.title
        content.body = notification.body
        content.sound = .default
        content.userInfo = ["authId": notification.id.rawValue]
        // Without a category there is no button that could approve without the number, or in vain.
        if notification.offersApproval || notification.kind != .instant {
            content.categoryIdentifier = notification.kind.rawValue
        }
        let request = UNNotificationRequest(identifier: notification.id.rawValue, content: content, trigger: nil)
        try await UNUserNotificationCenter.current().add(request)
    }

    /// Withdraws the notification of a request, if any.
    public func withdraw(_ request: SignInRequest.ID) async {
        let center = UNUserNotificationCenter.current()
        center.removePendingNotificationRequests(withIdentifiers: [request.rawValue])
        center.removeDeliveredNotifications(withIdentifiers: [request.rawValue])
    }

    /// Reports a message that arrived while the app is in the foreground.
    ///
    /// - Parameters:
    ///   - center: The system's center, whose delegate this is.
    ///   - notification: The message that came.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        continuation.yield(.arrived(PushPayload(of: notification.request.content)))
        return [.banner, .sound]
    }

    /// Reports the person's choice.
    ///
    /// - Parameters:
    ///   - center: The system's center, whose delegate this is.
    ///   - response: The message, and the button that was chosen.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        let choice: NotificationEvent.Choice =
            switch response.actionIdentifier {
            case UNNotificationDefaultActionIdentifier: .open
            case UNNotificationDismissActionIdentifier: .dismiss
            case let action: .button(NotificationAction.ID(action))
            }
        let message = PushPayload(of: response.notification.request.content)
        if let event = NotificationEvent(choice, at: message) { continuation.yield(event) }
    }
}

extension PushPayload {
    /// Reads the content of a notification.
    ///
    /// - Parameter content: The content, as the system gave it.
    public init(of content: UNNotificationContent) {
        var members: [String: any Sendable] = [:]
        for (key, value) in content.userInfo {
            if let key = key as? String, let value = value as? String { members[key] = value }
        }
        self.init(members, category: content.categoryIdentifier.isEmpty ? nil : content.categoryIdentifier)
    }
}

extension UNNotificationCategory {
    /// A category as the system takes it.
    fileprivate convenience init(_ category: NotificationCategory) {
        self.init(
            identifier: category.kind.rawValue,
            actions: category.actions.map { action in
                var options = UNNotificationActionOptions()
                if action.options.contains(.needsUnlock) { options.insert(.authenticationRequired) }
                if action.options.contains(.isDestructive) { options.insert(.destructive) }
                if action.options.contains(.opensApp) { options.insert(.foreground) }
                return UNNotificationAction(identifier: action.id.rawValue, title: action.title, options: options)
            },
            intentIdentifiers: []
        )
    }
}
#endif
