public import Countersign
public import CountersignWire

/// The outcome of a notification.
public enum NotificationOutcome: Sendable, Equatable {
    /// The person answered by its button, and the server wrote it down.
    case answered(SignInRequest.ID, isApproved: Bool)
    /// The person opens the request in the app, or must, since digits of the other screen are needed.
    case openApp(InboxRequestDescription)
    /// The app opens its scanner, because a site shows a QR code.
    case openScanner(CustomerSiteID?)
    /// A push message came while the app was in front.
    case arrived(PushPayload)
    /// The request could not be shown or answered.
    case failed(SignInRequest.ID?, ApprovalError)
    /// The inbox cannot be read any more.
    case ended(ApprovalError)
}

/// Shows what waits as notifications of the system, and answers from their buttons while the app is not open.
///
/// ```swift
/// let notifier = RequestNotifier(for: authenticator, with: registration, presenting: presenter) { outcome in
///     if case .openApp(let request) = outcome { await screen.show(request) }
/// }
/// await notifier.run()
/// ```
public actor RequestNotifier {
    private let authenticator: Authenticator
    private let registration: NotificationRegistration
    private let presenter: any NotificationPresenter
    private let tell: @Sendable (NotificationOutcome) async -> Void
    /// The requests that the notifications show: exactly these are answered.
    private var shown: [SignInRequest.ID: InboxRequestDescription] = [:]
    /// The running and finished looks at arrived requests.
    private var looks: [SignInRequest.ID: Task<Void, Never>] = [:]

    /// Prepares notifications; nothing is shown yet.
    ///
    /// - Parameters:
    ///   - authenticator: The device.
    ///   - registration: The categories of the app.
    ///   - presenter: The presenter that shows notifications on this system.
    ///   - tell: Receives each outcome, once.
    public init(
        for authenticator: Authenticator,
        with registration: NotificationRegistration,
        presenting presenter: any NotificationPresenter,
        telling tell: @escaping @Sendable (NotificationOutcome) async -> Void
    ) {
        self.authenticator = authenticator
        self.registration = registration
        self.presenter = presenter
        self.tell = tell
    }

    /// Shows the inbox's requests and sends the person's answers, until the task is cancelled or the inbox ends.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watchInbox() }
            group.addTask { await self.watchNotifications() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Answers the choices of the person, for an app that gets push messages.
    public func watchNotifications() async {
        for await event in presenter.events { await take(event) }
    }

    private func watchInbox() async {
        defer {
            for look in looks.values { look.cancel() }
            looks = [:]
        }
        for await event in authenticator.requests() {
            switch event {
            // In a separate task: a request that cannot be loaded now must not delay the others.
            case .arrived(let request): looks[request.id] = Task { await show(request) }
            case .withdrawn(let request), .expired(let request):
                looks.removeValue(forKey: request.id)?.cancel()
                await withdraw(request.id)
            case .temporaryFailure: break
            case .ended(let error): await tell(.ended(error))
            }
        }
    }

    /// Handles a push message, whether or not the app is open, and shows its request.
    ///
    /// - Parameter message: The message that the system gave, parsed.
    public func take(_ message: PushPayload) async {
        do throws(ApprovalError) {
            switch try await authenticator.received(message) {
            case .request(let request): await show(request)
            case .openScanner(let environment): await tell(.openScanner(environment))
            case .nothing: break
            }
        } catch {
            await tell(.failed(nil, error))
        }
    }

    private func show(_ arrived: WaitingRequest) async {
        let request = arrived.id
        do throws(ApprovalError) {
            let looked = try await authenticator.look(at: arrived)
            guard !Task.isCancelled else { return }
            await show(looked)
        } catch {
            if !error.endsRequest, error.code != .cancelled { await tell(.failed(request, error)) }
        }
    }

    private func show(_ request: InboxRequestDescription) async {
        shown[request.id] = request
        let notification = RequestNotification(of: request)
        do {
            try await presenter.present(notification, actions: await registration.actions(of: notification.kind))
        } catch {
            await tell(.failed(request.id, ApprovalError(.notOffered, because: "not shown: \(error)")))
        }
        // It may have ended while the system showed it.
        if shown[request.id] == nil { await presenter.withdraw(request.id) }
    }

    private func withdraw(_ request: SignInRequest.ID) async {
        shown[request] = nil
        await presenter.withdraw(request)
    }

    private func take(_ event: NotificationEvent) async {
        switch event {
        case .arrived(let message): await tell(.arrived(message))
        case .dismissed: break
        case .opened(let request): await open(request)
        case .openedMessage(let message): await open(message)
        case .chose(.approve, let request): await answer(.approve(), to: request)
        case .chose(.deny, let request): await answer(.deny, to: request)
        case .chose(_, let request): await open(request)
        }
    }

    private func open(_ message: PushPayload) async {
        do throws(ApprovalError) {
            switch try await authenticator.received(message) {
            case .request(let request): await tell(.openApp(request))
            case .openScanner(let environment): await tell(.openScanner(environment))
            case .nothing: break
            }
        } catch {
            await tell(.failed(nil, error))
        }
    }

    private func open(_ request: SignInRequest.ID) async {
        do throws(ApprovalError) {
            await tell(.openApp(try await found(request)))
        } catch {
            await tell(.failed(request, error))
        }
    }

    private func answer(_ answer: RequestAnswer, to request: SignInRequest.ID) async {
        do throws(ApprovalError) {
            let shown = try await found(request)
            if answer == .approve(), shown.numberDigits != nil { return await tell(.openApp(shown)) }
            self.shown[request] = nil
            try await authenticator.answer(answer, to: shown)
            await tell(.answered(request, isApproved: answer == .approve()))
        } catch {
            await tell(.failed(request, error))
        }
    }

    /// The request that the notification showed; an app that was started by it looks again.
    private func found(_ request: SignInRequest.ID) async throws(ApprovalError) -> InboxRequestDescription {
        if let known = shown[request] { return known }
        return try await authenticator.look(at: request)
    }
}
