#if SecretService && os(Linux)
internal import CLibSecret

/// A notification of the desktop.
///
/// Standard: Desktop Notifications Specification 1.2.
package struct BusNotification: Sendable, Equatable {
    package let app: String
    /// The first line.
    package let title: String
    /// The lines below; the desktop reads some markup in it.
    package let body: String
    /// The buttons: pairs of a key and a title.
    package let actions: [(key: String, title: String)]

    package init(app: String, title: String, body: String, actions: [(key: String, title: String)]) {
        self.app = app
        self.title = title
        self.body = body
        self.actions = actions
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.app == right.app && left.title == right.title && left.body == right.body
            && left.actions.elementsEqual(right.actions) { $0.key == $1.key && $0.title == $1.title }
    }
}

package enum BusNotificationEnd: Sendable, Equatable {
    /// The person chose an action, by its key; `default` when they clicked on the notification itself.
    case action(String)
    /// It was closed: by the person, by this app, or by its timeout.
    case closed
}

/// The service of desktop notifications.
private enum NotificationService {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
    static let notify = BusMethod(interface: name, name: "Notify")
    static let close = BusMethod(interface: name, name: "CloseNotification")
    static let capabilities = BusMethod(interface: name, name: "GetCapabilities")
}

/// The signals received by GLib's callback; used only by the thread of its connection.
private final class SignalContext {
    /// The reported ends of notifications, by their numbers.
    var ends: [(number: Int, end: BusNotificationEnd)] = []
}

extension BusConnection {
    /// The capabilities of the service, such as `actions`.
    package borrowing func notificationCapabilities() throws(BusError) -> [String] {
        let service = NotificationService.self
        let answer = try call(service.capabilities, at: service.path, of: service.name)
        guard case .list(let words)? = answer.first else { throw .malformed }
        return words.compactMap(\.text)
    }

    /// Takes a notification back.
    package borrowing func close(notification number: Int) throws(BusError) {
        guard let number = UInt32(exactly: number) else { throw .malformed }
        let service = NotificationService.self
        _ = try call(service.close, at: service.path, of: service.name, with: countersign_bus_number(number))
    }

    /// Shows a notification, and waits until it ends; the conversation's end ends the wait.
    ///
    /// - Parameters:
    ///   - shown: Receives the number of the notification once it is shown.
    package borrowing func show(
        _ notification: BusNotification,
        shown: (Int) -> Void
    ) throws(BusError) -> BusNotificationEnd {
        let box = SignalContext()
        let pointer = Unmanaged.passUnretained(box).toOpaque()
        // Signals are subscribed to before the notification is shown, so that none is missed.
        let subscription = g_dbus_connection_signal_subscribe(
            connection, NotificationService.name, NotificationService.name, nil, NotificationService.path, nil,
            G_DBUS_SIGNAL_FLAGS_NONE, noteSignal, pointer, nil)
        defer { g_dbus_connection_signal_unsubscribe(connection, subscription) }
        let number = try notify(notification)
        shown(number)
        countersign_bus_wake(context, stop.cancellable)
        while true {
            if let told = box.ends.first(where: { $0.number == number }) { return told.end }
            box.ends.removeAll()
            if let reason = stop.reason { throw reason }
            guard g_dbus_connection_is_closed(connection) == 0 else { throw .unreachable }
            g_main_context_iteration(context, 1)
        }
    }

    private borrowing func notify(_ notification: BusNotification) throws(BusError) -> Int {
        let words = notification.actions.flatMap { [$0.key, $0.title] }
        let copies = words.map { g_strdup($0) }
        defer { for copy in copies { g_free(copy) } }
        var actions: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) } + [nil]
        let arguments = countersign_notification(
            notification.app, notification.title, notification.body, &actions, 0)
        let service = NotificationService.self
        let answer = try call(service.notify, at: service.path, of: service.name, with: arguments)
        guard let number = answer.first?.number else { throw .malformed }
        return number
    }
}

/// Records a signal of the service.
private func noteSignal(
    _: OpaquePointer?,
    _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?,
    signal: UnsafePointer<CChar>?,
    values: OpaquePointer?,
    box: UnsafeMutableRawPointer?
) {
    guard let signal, let values, let box, case .list(let arguments) = BusValue(values),
        let number = arguments.first?.number
    else { return }
    let ends = Unmanaged<SignalContext>.fromOpaque(box).takeUnretainedValue()
    switch String(cString: signal) {
    case "ActionInvoked":
        guard arguments.count > 1, let key = arguments[1].text else { return }
        ends.ends.append((number, .action(key)))
    case "NotificationClosed": ends.ends.append((number, .closed))
    default: return
    }
}
#endif
