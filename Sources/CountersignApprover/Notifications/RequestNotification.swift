public import Countersign
public import CountersignWire
internal import FoundationEssentialsCompat

/// The texts of a notification of a request: the requester, the purpose and the place, so that people do not answer
/// blindly.
public struct RequestNotification: Sendable, Hashable, Identifiable {
    /// The request.
    public let id: SignInRequest.ID
    /// Its category.
    public let kind: PushPayload.Kind
    /// The first line.
    public let title: String
    /// The lines below.
    public let body: String
    /// Whether a button may approve: not where the person has to type the number that is shown where they started, or
    /// can only deny.
    public let offersApproval: Bool

    /// The notification of a request.
    ///
    /// - Parameter shown: The request, as an ``Approver`` gave it.
    public init(of shown: WaitingRequest) {
        id = shown.id
        kind =
            switch shown.step {
            case .decide, .matchNumber, .denyOnly: .instant
            case .typeThere: .oneTimePassword
            }
        let act =
            shown.kind == .passwordReset
            ? "set a new password for" : shown.service == nil ? "sign in as" : "act for"
        title = "\(shown.askerName): \(act) \(shown.accountName)?"
        var lines: [String] = []
        if let service = shown.service?.value {
            lines.append("‘\(service.purpose)’, until \(service.ends.formatted(.iso8601))")
        }
        if let message = shown.message { lines.append("“\(message.value)”") }
        if case .typeThere(let pin) = shown.step { lines.append("Code: \(pin)") }
        let place = [shown.address?.value, shown.placeName].compactMap(\.self).joined(separator: ", ")
        if !place.isEmpty { lines.append("From \(place)") }
        offersApproval = shown.step == .decide
        switch shown.step {
        case .decide, .typeThere: break
        case .matchNumber: lines.append("To approve, type the \(VerificationNumber.words).")
        case .denyOnly(let obstacle): lines.append(obstacle.sentence)
        }
        if shown.kind == .browser, !shown.isDenyOnly, let stay = shown.sessionSentence(choosing: nil) {
            lines.append(stay)
        }
        body = lines.joined(separator: "\n")
    }

    /// The buttons to show, of those of its category.
    ///
    /// - Parameter all: All buttons of the category.
    public func buttons(among all: [NotificationAction]) -> [NotificationAction] {
        all.filter { offersApproval || $0.id != .approve }
    }
}

/// The events of an app's notifications.
public enum NotificationEvent: Sendable, Equatable {
    /// A push message came while the app was in front.
    case arrived(PushPayload)
    /// The person chose a button.
    case chose(NotificationAction.ID, SignInRequest.ID)
    /// The person clicked on the notification itself, to see the request in the app.
    case opened(SignInRequest.ID)
    /// The person clicked on a push message that opens the scanner, or that names no request.
    case openedMessage(PushPayload)
    /// The notification is not there any more, and nothing was chosen.
    case dismissed(SignInRequest.ID)
}

extension NotificationEvent {
    /// The person's choice at a push message that the system shows.
    public enum Choice: Sendable, Equatable {
        /// They clicked on the notification itself.
        case open
        /// They took it away.
        case dismiss
        /// They chose a button.
        case button(NotificationAction.ID)
    }

    /// The event that a choice at a push message means; `nil` if there is nothing to do.
    ///
    /// - Parameters:
    ///   - choice: The person's choice.
    ///   - message: The message of the choice.
    public init?(_ choice: Choice, at message: PushPayload) {
        // The scanner opens even if the message also names a request: there is nothing to show of that yet.
        let request = message.kind == .scan ? nil : message.request.map { SignInRequest.ID($0.rawValue) }
        switch (choice, request) {
        case (.open, let request?): self = .opened(request)
        case (.dismiss, let request?): self = .dismissed(request)
        case (.button(let action), let request?): self = .chose(action, request)
        case (.dismiss, nil): return nil
        case (.open, nil), (.button, nil): self = .openedMessage(message)
        }
    }
}

/// A presenter of notifications on a system.
public protocol NotificationPresenter: Sendable {
    /// Registers the app's categories with the system, and asks the person for permission where the system requires it.
    ///
    /// - Parameter categories: All categories of the app.
    /// - Returns: Whether notifications may be shown.
    /// - Throws: Any `Error` of the system.
    func register(_ categories: [NotificationCategory]) async throws -> Bool

    /// Shows a notification, in place of one of the same request.
    ///
    /// - Parameters:
    ///   - notification: The texts to show.
    ///   - actions: Its buttons.
    /// - Throws: Any `Error` of the system.
    func present(_ notification: RequestNotification, actions: [NotificationAction]) async throws

    /// Withdraws the notification of a request, if any.
    ///
    /// - Parameter request: The one that it is about.
    func withdraw(_ request: SignInRequest.ID) async

    /// The events of the notifications, in order. They are read by one reader.
    var events: AsyncStream<NotificationEvent> { get }
}

/// The categories of an app, registered with the system once.
public actor NotificationRegistration {
    private let presenter: any NotificationPresenter
    private var registering: Task<Result<Bool, ApprovalError>, Never>?
    /// The categories that were declared last; empty before ``register(_:)``.
    public private(set) var categories: [NotificationCategory] = []

    /// Prepares the categories; nothing is registered yet.
    ///
    /// - Parameter presenter: The presenter that shows notifications on this system.
    public init(with presenter: any NotificationPresenter) { self.presenter = presenter }

    /// Registers the categories. The same categories are registered once, however often this is called; what failed is
    /// tried again.
    ///
    /// - Parameter categories: All categories of the app; ``NotificationCategory/standard`` by default.
    /// - Returns: Whether notifications may be shown.
    /// - Throws: ``ApprovalError`` `notOffered` with the system's message.
    @discardableResult
    public func register(
        _ categories: [NotificationCategory] = NotificationCategory.standard
    ) async throws(ApprovalError) -> Bool {
        let task: Task<Result<Bool, ApprovalError>, Never>
        if let registering, self.categories == categories {
            task = registering
        } else {
            self.categories = categories
            let presenter = presenter
            task = Task { await Self.registered(categories, with: presenter) }
            registering = task
        }
        let outcome = await task.value
        if case .failure = outcome, registering == task { registering = nil }
        return try outcome.get()
    }

    /// Registers the categories, and reports the outcome exactly once.
    ///
    /// - Parameters:
    ///   - categories: All categories of the app; ``NotificationCategory/standard`` by default.
    ///   - completion: Receives whether notifications may be shown, or why the categories were not registered.
    public nonisolated func register(
        _ categories: [NotificationCategory] = NotificationCategory.standard,
        completion: @escaping @Sendable (Result<Bool, ApprovalError>) -> Void
    ) {
        Task {
            do throws(ApprovalError) {
                completion(.success(try await self.register(categories)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// The buttons of a kind of notifications.
    ///
    /// - Parameter kind: The subject of the notification.
    /// - Returns: The buttons of its category; none when it has none.
    public func actions(of kind: PushPayload.Kind) -> [NotificationAction] {
        categories.first { $0.kind == kind }?.actions ?? []
    }

    private static func registered(
        _ categories: [NotificationCategory],
        with presenter: any NotificationPresenter
    ) async -> Result<Bool, ApprovalError> {
        do {
            return .success(try await presenter.register(categories))
        } catch {
            return .failure(ApprovalError(.notOffered, because: "the categories were not registered: \(error)"))
        }
    }
}
