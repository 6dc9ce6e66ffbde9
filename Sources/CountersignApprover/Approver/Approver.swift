internal import Countersign
internal import CountersignTransport
public import CountersignWire
public import FoundationEssentialsCompat

/// The approving side of one sign-in: an app that shows its person what waits for them, and sends their signed answers.
///
/// One inbox has the requests of all ways: of a screen nearby and of another app, while these ask; and, on an enrolled
/// device, those that the server holds for the person: of a screen that remembers them, over the back channel, and of
/// customers' sites. Every answer is one signed decision.
///
/// ```swift
/// let approver = Approver(for: account, as: .device(details, keepingStateIn: items), keepingKeysIn: keys)
/// try await approver.register()
/// for try await event in approver {
///     guard case .waiting(let requests) = event, let first = requests.first else { continue }
///     try await approver.answer(await screen.ask(first), to: first)
/// }
/// ```
///
/// Make one early, as soon as the app starts and is signed in; a sign-in comes from a scanned ticket (`TicketSignIn`)
/// or from any other way to sign in with the scope `nearby_approve`. An app with several sign-ins has one for each.
///
/// Its key is made when it first registers or decides, signs all decisions, and never leaves the device. Every call ends
/// in one result or one ``ApprovalError``, and in `cancelled` when its task is cancelled.
public actor Approver {
    /// The abilities of an approver.
    public enum Kind: Sendable {
        /// An app that is signed in, and is no enrolled device: it answers screens nearby and other apps.
        case app
        /// An enrolled device, which has an inbox at the server as well. It describes itself by the details, with the
        /// app's key, whenever it registers, and keeps the state of its registration in the store.
        case device(DeviceDetails, keepingStateIn: any AuthenticatorStore)
    }

    /// The abilities of this one.
    public nonisolated let kind: Kind
    nonisolated let client: ApproverClient
    /// The certificates that the app accepts; renewed with each check of the registration.
    nonisolated let pins: CertificatePins?
    /// The registrations of the device, which the server hears in order.
    var registrations = RegistrationQueue()

    /// The requests that wait.
    var inbox = InboxContents()
    /// The readers of events.
    var readers = InboxReaders()
    /// Follows the inbox at the server while there are readers.
    var following: Task<Void, Never>?
    /// The requests whose asking side waits at this device for the outcome.
    var held = HeldRequests()
    /// The answers that the person gives here.
    var answers = OwnAnswers()
    /// The approvals that may be undone still.
    var approvals = RecentApprovals()
    /// The instant of the last question for the person's devices; `nil` before the first.
    var askedForDevices: ContinuousClock.Instant?

    /// Prepares an approver; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - account: The sign-in that it approves by; when that ends, so does an enrolled device.
    ///   - kind: The abilities; by default those of an app that is no enrolled device.
    ///   - keys: The store of the keys for decisions, one for each account.
    ///   - options: Time limits, the addresses that open the app, and whether servers without encryption are allowed;
    ///     what suits a phone by default.
    ///   - context: The network, the clocks and the source of the decisions' names; by default those of the system.
    public init(
        for account: ApproverAccount,
        as kind: Kind = .app,
        keepingKeysIn keys: any ApproverKeyStore,
        options: ApprovalOptions = ApprovalOptions(),
        in context: ApproverContext = .system
    ) {
        self.kind = kind
        pins = context.pins
        client = ApproverClient(
            for: account,
            keepingKeysIn: keys,
            over: context.transport,
            finding: ApproverServers(over: context.transport, options: options, clock: context.clock),
            drawingFrom: context.random
        )
    }

    /// The sign-in that it approves by.
    public nonisolated var account: ApproverAccount.ID { client.account.id }

    /// The server that it approves at.
    public nonisolated var issuer: Issuer { client.account.issuer }

    /// The server's date, which decides when requests end; the device's own before the server has answered once.
    public var serverDate: Date { get async { await client.date } }
}
