public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The outcome of a notification.
public enum NotificationOutcome: Sendable, Equatable {
    /// The person answered by its button, and the server wrote it down.
    case answered(SignInRequest.ID, isApproved: Bool)
    /// The person opens the request in the app, or must, since a number has to be typed.
    case openApp(WaitingRequest)
    /// The app opens its scanner, because a site shows a QR code.
    case openScanner(CustomerSiteID?)
    /// The person has a new device, which may not be theirs.
    case newDevice(DeviceListing)
    /// The person's password was changed at that time, which may not have been the person.
    case passwordChanged(Date)
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
/// let notifier = RequestNotifier(for: approver, with: registration, presenting: presenter) { outcome in
///     if case .openApp(let request) = outcome { await screen.show(request) }
/// }
/// await notifier.run()
/// ```
public actor RequestNotifier {
    private let approver: Approver
    private let registration: NotificationRegistration
    private let presenter: any NotificationPresenter
    private let tell: @Sendable (NotificationOutcome) async -> Void
    /// The requests that the notifications show: exactly these are answered.
    private var shown: [SignInRequest.ID: WaitingRequest] = [:]
    /// The shown requests that the inbox listed last.
    private var listed: Set<SignInRequest.ID> = []

    /// Prepares notifications; nothing is shown yet.
    ///
    /// - Parameters:
    ///   - approver: The approver, whose requests are shown.
    ///   - registration: The categories of the app.
    ///   - presenter: The presenter that shows notifications on this system.
    ///   - tell: Receives each outcome, once.
    public init(
        for approver: Approver,
        with registration: NotificationRegistration,
        presenting presenter: any NotificationPresenter,
        telling tell: @escaping @Sendable (NotificationOutcome) async -> Void
    ) {
        self.approver = approver
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
        do {
            for try await event in approver {
                switch event {
                case .waiting(let requests): await show(requests)
                case .newDevice(let device): await tell(.newDevice(device))
                case .passwordChanged(let changed): await tell(.passwordChanged(changed))
                case .failed(let request, let error): await tell(.failed(request, error))
                case .answered, .cancelled, .withdrawn, .expired, .undone, .temporaryFailure: break
                }
            }
        } catch {
            if let error = error as? ApprovalError { await tell(.ended(error)) }
        }
    }

    /// Shows the requests that are new, and withdraws those that wait no more.
    private func show(_ requests: [WaitingRequest]) async {
        let ids = Set(requests.map(\.id))
        for request in listed.subtracting(ids) { await withdraw(request) }
        let new = requests.filter { !listed.contains($0.id) }
        listed = ids
        for request in new { await show(request) }
    }

    /// Handles a push message, whether or not the app is open, and shows its request.
    ///
    /// - Parameter message: The message that the system gave, parsed.
    public func take(_ message: PushPayload) async {
        if let request = await request(of: message) { await show(request) }
    }

    /// The request of a push message; `nil` for another message, whose content is told.
    private func request(of message: PushPayload) async -> WaitingRequest? {
        do throws(ApprovalError) {
            switch try await approver.received(message) {
            case .request(let request): return request
            case .openScanner(let site): await tell(.openScanner(site))
            case .newDevices(let devices): for device in devices { await tell(.newDevice(device)) }
            case .passwordChanged(let changed): await tell(.passwordChanged(changed))
            case .nothing: break
            }
        } catch {
            await tell(.failed(nil, error))
        }
        return nil
    }

    private func show(_ request: WaitingRequest) async {
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
        if let request = await request(of: message) { await tell(.openApp(request)) }
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
            if answer.isApproval, shown.step != .decide { return await tell(.openApp(shown)) }
            self.shown[request] = nil
            try await approver.answer(answer, to: shown)
            await tell(.answered(request, isApproved: answer.isApproval))
        } catch {
            await tell(.failed(request, error))
        }
    }

    /// The request that the notification showed; an app that was started by it looks again.
    private func found(_ request: SignInRequest.ID) async throws(ApprovalError) -> WaitingRequest {
        if let known = shown[request] { return known }
        return try await approver.request(request)
    }
}
