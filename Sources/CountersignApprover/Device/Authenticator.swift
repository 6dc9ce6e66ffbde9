public import Countersign
public import CountersignTransport
public import CountersignWire
public import FoundationEssentialsCompat
internal import HTTPTypes

/// An enrolled device: it registers itself, lists its person's pending requests, and sends their signed answers to the
/// server.
///
/// Make one early, as soon as the app starts and is signed in; a sign-in comes from a scanned ticket (`TicketSignIn`)
/// or from any other way to sign in with the scope `nearby_approve`.
///
/// ```swift
/// var details = DeviceDetails()
/// details.appKey = "the key that the operator gave to this app"
/// let authenticator = Authenticator(
///     for: account, describing: details, keepingKeysIn: keys, keepingStateIn: items,
///     over: SystemTransport.make(), drawingFrom: .system, clock: .system)
/// switch await authenticator.checkRegistration() {
/// case .phoneNumberNeeded: screen.askForNumber()
/// case .signedOut: screen.askToScan()
/// case .codeNeeded, .verified, .unknown: screen.showInbox()
/// }
/// ```
///
/// Its key is made when it first registers, signs all decisions, and never leaves the device. Every call ends in one
/// result or one ``ApprovalError``, and in `cancelled` when its task is cancelled.
public actor Authenticator {
    /// The description that it gives of itself whenever it registers.
    private let details: DeviceDetails
    private let store: any AuthenticatorStore
    nonisolated let client: ApproverClient
    /// The certificates that the app accepts; renewed with each check of the registration.
    let pins: CertificatePins?
    /// The registration that was begun last; the next one waits for it, so that the server hears them in order.
    private var registering: Task<Result<DeviceRegistration, ApprovalError>, Never>?

    /// Prepares a device; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - account: The sign-in that the device hangs on; when that ends, so does the device.
    ///   - details: The device's description of itself, with the app's key; the methods report changes.
    ///   - keys: The store of the keys for decisions, one for each account.
    ///   - store: The store of the rest, such as the state of the registration.
    ///   - transport: The network, as `AsyncHTTPTransport()` on Linux.
    ///   - pins: The certificates that the app accepts, which are renewed at each ``checkRegistration()``; `nil`, the
    ///     default, for an app that pins none.
    ///   - options: Time limits, and whether servers without encryption are allowed; what suits a phone by default.
    ///   - random: The source of the decisions' names.
    ///   - clock: The clocks of this device. The server's time counts wherever both matter.
    public init(
        for account: ApproverAccount,
        describing details: DeviceDetails,
        keepingKeysIn keys: any ApproverKeyStore,
        keepingStateIn store: any AuthenticatorStore,
        over transport: any HTTPTransport,
        renewing pins: CertificatePins? = nil,
        options: ApprovalOptions = ApprovalOptions(),
        drawingFrom random: RandomSource,
        clock: TimeSource
    ) {
        self.details = details
        self.store = store
        self.pins = pins
        client = ApproverClient(
            for: account,
            keepingKeysIn: keys,
            over: transport,
            finding: ApproverServers(over: transport, options: options, clock: clock),
            drawingFrom: random
        )
    }

    /// The sign-in that the device hangs on.
    public nonisolated var account: ApproverAccount.ID { client.account.id }

    /// The server that the device is enrolled at.
    public nonisolated var issuer: Issuer { client.account.issuer }

    /// The server's date, which decides when requests end; the device's own before the server has answered once.
    public var serverDate: Date { get async { await client.date } }

    /// Registers the device, or updates its registration; the same device every time, also after a restart.
    ///
    /// Calls at the same time are sent one after another.
    ///
    /// - Parameter change: Additional details of the device; none by default.
    /// - Returns: The state of the device.
    /// - Throws: ``ApprovalError``: `refused` for a number or token that is malformed, `wrongCode` for a wrong
    ///   verification code, `busy` after too many of them, `keyUnusable`, `storeUnusable`; others by network and
    ///   server.
    @discardableResult
    public func register(_ change: DeviceDetails = DeviceDetails()) async throws(ApprovalError) -> DeviceRegistration {
        let before = registering
        let task = Task { () async -> Result<DeviceRegistration, ApprovalError> in
            _ = await before?.value
            return await self.registerNow(change)
        }
        registering = task
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try outcome.get()
    }

    private func registerNow(_ change: DeviceDetails) async -> Result<DeviceRegistration, ApprovalError> {
        do throws(ApprovalError) {
            guard !Task.isCancelled else { throw ApprovalError(.cancelled, because: "the task was cancelled") }
            if try await isLeaving { try await store.forget(.wish(toRemove: account)) }
            // The key is made before the device is known: the server binds it to the sign-in when the device registers,
            // and takes no answers by another one.
            let signer = try await ApprovalError.mapping(to: .keyUnusable) {
                try await client.keys.signer(for: client.account.id)
            }
            let (details, issuer) = (details.changed(by: change), issuer.text)
            var call = ApproverCall(.put, "device")
            call.type = "application/json"
            call.bodyForToken = { token throws(ApprovalError) in
                try Self.json(details, provingKeyOf: signer, to: issuer, presenting: token)
            }
            do throws(ApprovalError) {
                return .success(try await keep(try await client.message(call).message))
            } catch {
                // The server reports a wrong code like any invalid one-time secret.
                guard error.code == .nothingToDecide else { throw error }
                throw ApprovalError(.wrongCode, because: error.reason)
            }
        } catch {
            return .failure(error)
        }
    }

    private static func json(
        _ details: DeviceDetails,
        provingKeyOf signer: any ApproverSigner,
        to issuer: String,
        presenting token: AccessToken
    ) throws(ApprovalError) -> [UInt8] {
        var details = details
        do {
            details.keyProof = try UnverifiedDeviceKeyProof.text(
                of: signer.publicKey, for: issuer, presenting: token, signedBy: signer.signature(over:))
        } catch {
            throw ApprovalError(.keyUnusable, because: "\(error)")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(details))
        } catch {
            throw ApprovalError(.refused, because: "the details cannot be written as JSON")
        }
    }

    /// Reads how far the device is registered.
    ///
    /// - Throws: ``ApprovalError``: `notRegistered` when it never was; others by network and server.
    public func registration() async throws(ApprovalError) -> DeviceRegistration {
        var call = ApproverCall(.get, "device")
        call.mayFindNothing = true
        return try await keep(try await client.message(call).message)
    }

    /// The state of the registration when the server was last asked; `nil` when that is not known.
    ///
    /// - Throws: ``ApprovalError`` `storeUnusable`.
    public func keptRegistration() async throws(ApprovalError) -> DeviceRegistration? {
        let kept: RegistrationItem? = try await store.message(.registration(of: client.account.id))
        return kept?.registration
    }

    private func keep(_ registration: DeviceRegistration) async throws(ApprovalError) -> DeviceRegistration {
        try await store.keep(RegistrationItem(registration), as: .registration(of: client.account.id))
        return registration
    }

    /// Removes the device: no more messages are pushed to it, and all its data are deleted. A sign-in that a ticket
    /// gave ends with it, any other stays.
    ///
    /// The intent is stored until it is fulfilled: after a lost answer, the next call or ``checkRegistration()``, also
    /// after a restart, completes it, and a new registration cancels it.
    ///
    /// - Throws: ``ApprovalError``: `signedOut` when the sign-in has ended before, and the device with it; others by
    ///   network, server and store; a device that was never registered causes no error.
    public func unregister() async throws(ApprovalError) {
        let wasTried = try await isLeaving
        if !wasTried { try await store.keep(true, as: .wish(toRemove: account)) }
        var call = ApproverCall(.delete, "device")
        call.mayFindNothing = true
        do throws(ApprovalError) {
            try await client.done(call)
        } catch {
            guard error.code == .notRegistered || error.code == .signedOut else {
                // Nothing was sent, so nothing is uncertain.
                if error.code == .notTrusted, !wasTried { try await store.forget(.wish(toRemove: account)) }
                throw error
            }
            // After an attempt with a lost answer, the sign-in of a ticket has ended with the device.
            if error.code == .signedOut, !wasTried {
                try await forget()
                throw error
            }
        }
        try await forget()
    }

    /// Whether the device is to be removed, which the server has not confirmed yet.
    var isLeaving: Bool {
        get async throws(ApprovalError) {
            let wish: Bool? = try await store.message(.wish(toRemove: account))
            return wish ?? false
        }
    }

    /// Removes the device's stored data.
    private func forget() async throws(ApprovalError) {
        try await store.forget(.registration(of: account))
        try await store.forget(.wish(toRemove: account))
    }

    /// Keeps prompts and push messages away for a while. Requests stay in the inbox, and the requester sees no
    /// difference.
    ///
    /// - Parameter span: The time from now, at most a day; zero ends the silence.
    /// - Throws: ``ApprovalError`` by network and server.
    public nonisolated func quiet(for span: Duration) async throws(ApprovalError) {
        let form = AuthenticatorQuietRequest(seconds: Int(span.components.seconds)).form
        try await client.done(ApproverCall(.put, "quiet", form: form))
    }
}

extension AuthenticatorItem {
    /// The state of the registration when the server was last asked.
    static func registration(of account: ApproverAccount.ID) -> Self { Self("registration \(account)") }

    /// That the device is to be removed.
    fileprivate static func wish(toRemove account: ApproverAccount.ID) -> Self { Self("removal \(account)") }
}

/// A stored registration, without the number and the push token.
private struct RegistrationItem: Codable {
    let id: String
    let status: RegistrationStatus
    let isPushEnabled: Bool
    let isDevelopment: Bool

    init(_ registration: DeviceRegistration) {
        id = registration.id.rawValue
        status = registration.status
        isPushEnabled = registration.isPushEnabled
        isDevelopment = registration.isDevelopment
    }

    var registration: DeviceRegistration {
        DeviceRegistration(
            id: DeviceRegistration.ID(id), status: status, isPushEnabled: isPushEnabled, isDevelopment: isDevelopment)
    }
}

extension DeviceDetails {
    /// These details with the members that a change names.
    func changed(by change: DeviceDetails) -> DeviceDetails {
        var details = self
        details.manufacturer = change.manufacturer ?? manufacturer
        details.systemVersion = change.systemVersion ?? systemVersion
        details.appVersion = change.appVersion ?? appVersion
        details.appID = change.appID ?? appID
        details.languageCode = change.languageCode ?? languageCode
        details.model = change.model ?? model
        details.modelID = change.modelID ?? modelID
        details.platform = change.platform ?? platform
        details.appKey = change.appKey ?? appKey
        details.pushToken = change.pushToken ?? pushToken
        details.isPushEnabled = change.isPushEnabled ?? isPushEnabled
        details.isDevelopment = change.isDevelopment ?? isDevelopment
        details.phoneNumber = change.phoneNumber ?? phoneNumber
        details.verificationCode = change.verificationCode ?? verificationCode
        return details
    }
}
