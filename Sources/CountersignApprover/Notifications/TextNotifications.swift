public import Countersign

/// Notifications as lines of text, for a terminal or a log: they are numbered, and answered by a line such as `1
/// approve`.
public actor TextNotifications: NotificationPresenter {
    /// The events of the notifications.
    public nonisolated let events: AsyncStream<NotificationEvent>

    private let continuation: AsyncStream<NotificationEvent>.Continuation
    private let write: @Sendable (String) -> Void
    private var shown: [(number: Int, id: SignInRequest.ID, actions: [NotificationAction])] = []
    private var last = 0

    /// Prepares notifications; nothing is written yet.
    ///
    /// - Parameter write: Writes one line.
    public init(writing write: @escaping @Sendable (String) -> Void) {
        self.write = write
        (events, continuation) = AsyncStream.makeStream()
    }

    deinit { continuation.finish() }

    /// Does nothing: text needs no categories.
    public func register(_ categories: [NotificationCategory]) -> Bool { true }

    /// Writes a notification.
    public func present(_ notification: RequestNotification, actions: [NotificationAction]) {
        withdraw(notification.id)
        last += 1
        let choices = notification.buttons(among: actions)
        shown.append((last, notification.id, choices))
        write("[\(last)] \(notification.title)")
        for line in notification.body.split(separator: "\n") { write("    \(line)") }
        let words = choices.map { "\(last) \($0.title.lowercased())" }
        if !words.isEmpty { write("    Type: \(words.joined(separator: ", or "))") }
    }

    /// Writes that a notification does not count any more.
    public func withdraw(_ request: SignInRequest.ID) {
        guard let place = shown.firstIndex(where: { $0.id == request }) else { return }
        write("[\(shown.remove(at: place).number)] is over.")
    }

    /// Takes in a line that a person typed: the number of a notification, and the title of a button or nothing.
    ///
    /// - Parameter line: The typed line, without its end.
    /// - Returns: Whether it was understood.
    @discardableResult
    public func typed(_ line: String) -> Bool {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let number = words.first.flatMap({ Int($0) }),
            let place = shown.firstIndex(where: { $0.number == number })
        else { return false }
        let found = shown[place]
        guard words.count > 1 else {
            continuation.yield(.opened(found.id))
            return true
        }
        guard let action = found.actions.first(where: { $0.title.lowercased() == words[1].lowercased() }) else {
            return false
        }
        shown.remove(at: place)
        continuation.yield(.chose(action.id, found.id))
        return true
    }
}
