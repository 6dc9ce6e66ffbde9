#if SecretService && os(Linux)
public import Countersign
public import DesktopBus

/// Notifications of a Linux desktop, with buttons, over the session's bus.
///
/// Standard: Desktop Notifications Specification 1.2.
public actor DesktopNotifications: NotificationPresenter {
    /// The events of the notifications.
    public nonisolated let events: AsyncStream<NotificationEvent>

    private let continuation: AsyncStream<NotificationEvent>.Continuation
    private let app: String
    private let bus: SessionBus
    private var shown: [SignInRequest.ID: Task<Void, Never>] = [:]
    private var numbers: [SignInRequest.ID: Int] = [:]

    /// The longest time that a notification is watched.
    private static let longest = Duration.seconds(3600)

    /// Prepares notifications; nothing is shown yet.
    ///
    /// - Parameters:
    ///   - app: The name of the app, as the desktop shows it.
    ///   - address: The session's bus; that of this process by default.
    ///   - clock: Counts how long a notification is watched.
    public init(of app: String, on address: SessionBusAddress? = .current, clock: TimeSource) {
        self.app = app
        bus = SessionBus(address: address, timeLimit: Self.longest, clock: clock)
        (events, continuation) = AsyncStream.makeStream()
    }

    deinit {
        for task in shown.values { task.cancel() }
        continuation.finish()
    }

    /// Queries the desktop's capabilities. The buttons go with each notification.
    ///
    /// - Returns: Whether there are notifications with buttons.
    /// - Throws: Any `Error` of the bus, as where there is none, or no service of notifications.
    public func register(_ categories: [NotificationCategory]) async throws -> Bool {
        let words = try await bus.conversation { connection throws(BusError) in
            try connection.notificationCapabilities()
        }
        return words.contains("actions")
    }

    /// Shows a notification, in place of one of the same request.
    ///
    /// - Throws: Any `Error` of the bus, as where there is none, or no service of notifications.
    public func present(_ notification: RequestNotification, actions: [NotificationAction]) async throws {
        await withdraw(notification.id)
        let id = notification.id
        let buttons = notification.buttons(among: actions)
        let asked = BusNotification(
            app: app,
            title: Self.line(notification.title),
            body: Self.escaped(notification.body),
            actions: [(key: "default", title: "Open")] + buttons.map { (key: $0.id.rawValue, title: $0.title) }
        )
        let (numbers, teller) = AsyncStream.makeStream(of: Int.self)
        let bus = bus
        shown[id] = Task {
            let end = try? await bus.conversation { connection throws(BusError) in
                try connection.show(asked) { number in
                    teller.yield(number)
                    teller.finish()
                }
            }
            teller.finish()
            self.ended(id, end)
        }
        var isShown = false
        for await number in numbers {
            isShown = true
            if shown[id] != nil { self.numbers[id] = number }
        }
        guard isShown else { throw BusError.unreachable }
    }

    private func ended(_ id: SignInRequest.ID, _ end: BusNotificationEnd?) {
        guard shown.removeValue(forKey: id) != nil else { return }
        numbers[id] = nil
        switch end {
        case .action("default")?: continuation.yield(.opened(id))
        case .action(let key)?: continuation.yield(.chose(NotificationAction.ID(key), id))
        case .closed?, nil: continuation.yield(.dismissed(id))
        }
    }

    /// Withdraws the notification of a request, if any.
    public func withdraw(_ request: SignInRequest.ID) async {
        guard let task = shown.removeValue(forKey: request) else { return }
        let number = numbers.removeValue(forKey: request)
        if let number {
            try? await bus.conversation { connection throws(BusError) in
                try connection.close(notification: number)
            }
        }
        task.cancel()
        await task.value
    }

    /// One line of text: what comes from elsewhere may hold anything.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 }.prefix(200))
    }

    /// Text without markup, which desktops read in the body.
    private static func escaped(_ text: String) -> String {
        String(text.prefix(1000)).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            ">", with: "&gt;")
    }
}
#endif
