public import Countersign
public import CountersignTransport
public import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// A device of the legacy protocol, which shares a secret with each of its environments: for services that support no
/// other.
///
/// ```swift
/// let client = try LegacyAuthenticatorClient(
///     at: "https://api.example.com/authenticator/v1.0", describing: details, keepingStateIn: items,
///     over: SystemTransport.make(), clock: .system)
/// try await client.register()
/// guard case .shared(let site, let secret)? = CustomerSiteInvitation(scanned) else { return }
/// try await client.register(in: site, secret: secret)
/// if let request = try await client.openRequest(in: site) { show(request) }
/// ```
///
/// Device, sites and secrets are saved in the store. Prefer ``Approver`` wherever the server offers it:
/// this type signs an answer with a secret that any person who saw the code knows.
///
/// The protocol is that of CM Authenticator SDK 4.0.
public actor LegacyAuthenticatorClient {
    private let base: Endpoint
    private let details: DeviceDetails
    private let userAgent: String
    private let store: any AuthenticatorStore
    private let transport: any HTTPTransport
    private let options: ApprovalOptions
    private let clock: TimeSource
    private var serverClock = ServerClock()
    /// The registrations of the device, one after another, so that there is one device.
    private var registrations = RegistrationQueue()

    /// Prepares a device; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - base: The address of the service, ending in `/authenticator/v1.0`.
    ///   - details: The description that the device gives of itself, with the app's key.
    ///   - program: The app's program, which names the app to the service; `Countersign` by default.
    ///   - build: The number of its build, likewise; `1` by default.
    ///   - store: The store of the device's identifier and of the secrets; it has to be a sealed one.
    ///   - transport: The network.
    ///   - options: Time limits, and whether servers without encryption are allowed.
    ///   - clock: The clocks of this device. The server's time counts wherever both matter.
    /// - Throws: ``ApprovalError`` `badAnswer` for an invalid or unencrypted address.
    public init(
        at base: String,
        describing details: DeviceDetails,
        as program: String = "Countersign",
        build: String = "1",
        keepingStateIn store: any AuthenticatorStore,
        over transport: any HTTPTransport,
        options: ApprovalOptions = ApprovalOptions(),
        clock: TimeSource
    ) throws(ApprovalError) {
        do throws(Endpoint.ParsingError) {
            self.base = try Endpoint(base, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw ApprovalError(.badAnswer, because: "the address of the service is \(error)")
        }
        self.details = details
        userAgent = details.userAgent(of: program, build: build)
        self.store = store
        self.transport = transport
        self.options = options
        self.clock = clock
    }

    // MARK: The device

    /// Registers the device, or updates its registration. Calls at the same time make one device. When the service does
    /// not know the device any more, it is registered as a new one.
    ///
    /// - Parameter change: Additional details of the device; none by default.
    /// - Returns: The state of the device.
    /// - Throws: ``ApprovalError`` by network, service and store.
    @discardableResult
    public func register(_ change: DeviceDetails = DeviceDetails()) async throws(ApprovalError) -> DeviceRegistration {
        try await registrations.add { await self.registerNow(change) }.registration()
    }

    private func registerNow(_ change: DeviceDetails) async -> RegistrationQueue.Outcome {
        do throws(ApprovalError) {
            guard !Task.isCancelled else { throw ApprovalError(.cancelled, because: "the task was cancelled") }
            let body = try json(details.changed(by: change))
            if let device = try await keptDevice(), let registration = try await updated(device, saying: body) {
                return .success(registration)
            }
            let registration: DeviceRegistration = try await message(LegacyCall(.post, "device", body))
            try await store.keep(registration.id, as: deviceItem)
            return .success(registration)
        } catch {
            return .failure(error)
        }
    }

    /// Sends changes to the service; `nil` when it does not know the device any more, whose data are then deleted.
    private func updated(
        _ device: DeviceRegistration.ID,
        saying body: [UInt8]
    ) async throws(ApprovalError) -> DeviceRegistration? {
        let registration: DeviceRegistration
        do throws(ApprovalError) {
            registration = try await message(LegacyCall(.put, "device/\(device)", body))
        } catch {
            guard error.code == .notRegistered else { throw error }
            try await store.forget(deviceItem)
            return nil
        }
        guard registration.id == device else { throw ApprovalError(.badAnswer, because: "another device answers") }
        return registration
    }

    /// Reads how far the device is registered.
    ///
    /// - Returns: The state of the device.
    /// - Throws: ``ApprovalError``: `notRegistered` before ``register(_:)``; others by network, service and store.
    public func registration() async throws(ApprovalError) -> DeviceRegistration {
        try await message(LegacyCall(.get, "device/\(try await device())"))
    }

    /// The SHA-256 digests of the service's pinned certificates, in hexadecimal digits.
    ///
    /// Each entry must be signed; one that is not refuses the list. The list has neither version nor end, so that an
    /// old one can be replayed: use it on top of the system's verdict only, and keep the list that you have when it is
    /// empty.
    ///
    /// - Parameter key: The RSA key of the service that the app was built with.
    /// - Returns: The digests; none when the service names none.
    /// - Throws: ``ApprovalError``: `notTrusted` for an entry that the service did not sign; others by network and
    ///   service.
    public func acceptedCertificates(signedBy key: JSONWebKey) async throws(ApprovalError) -> Set<String> {
        let pins: [LegacyPin] = try await message(LegacyCall(.get, "certificate"))
        var accepted: Set<String> = []
        for pin in pins {
            guard let fingerprint = pin.fingerprint(signedBy: key) else {
                throw ApprovalError(.notTrusted, because: "an entry of the list of certificates is not signed")
            }
            accepted.insert(fingerprint.lowercased())
        }
        return accepted
    }

    // MARK: Sites

    /// The sites that the device is registered in.
    ///
    /// - Returns: The sites; none is no error.
    /// - Throws: ``ApprovalError``: `notRegistered` before ``register(_:)``; others by network, service and store.
    public func environments() async throws(ApprovalError) -> [CustomerSiteListing] {
        try await message(LegacyCall(.get, "device/\(try await device())/environment"))
    }

    /// Registers the device in a site, and stores the secret once the service has accepted it.
    ///
    /// - Parameters:
    ///   - environment: The scanned site.
    ///   - secret: The secret, as it was scanned.
    /// - Throws: ``ApprovalError``: `wrongSecret`; others by network, service and store.
    public func register(in environment: CustomerSiteID, secret: CustomerSiteSecret) async throws(ApprovalError) {
        try await done(LegacyCall(.put, "device/\(try await device())/environment/\(environment)", secret: secret))
        try await store.keep(LegacySecretItem(secret: secret.revealed), as: secretItem(environment))
    }

    /// Ends the registration in a site, and deletes its secret, also when the service answers that the device
    /// is not registered there or has another secret.
    ///
    /// The intent is stored before it is sent: after a lost answer the secret serves for this call alone, until the
    /// call is repeated or the site's code is scanned again.
    ///
    /// - Parameter environment: One whose secret is stored.
    /// - Throws: ``ApprovalError``: `notRegistered` without its secret; others by network, service and store.
    public func unregister(from environment: CustomerSiteID) async throws(ApprovalError) {
        let secret = try await kept(environment).secret
        let path = "device/\(try await device())/environment/\(environment)"
        try await store.keep(LegacySecretItem(secret: secret, isLeaving: true), as: secretItem(environment))
        do throws(ApprovalError) {
            try await done(LegacyCall(.delete, path, secret: CustomerSiteSecret(revealing: secret)))
        } catch {
            guard error.code == .notRegistered || error.code == .wrongSecret else { throw error }
        }
        try await store.forget(secretItem(environment))
    }

    // MARK: Requests

    /// The pending request of a site.
    ///
    /// - Parameter environment: One whose secret is stored.
    /// - Returns: The oldest request whose time is not over by the server's clock; `nil` when none waits.
    /// - Throws: ``ApprovalError``: `notRegistered` without the site's secret, `wrongSecret`; others by network,
    ///   service and store.
    public func openRequest(in environment: CustomerSiteID) async throws(ApprovalError) -> AuthenticationRequest? {
        let secret = try await secret(of: environment)
        let path = "device/\(try await device())/environment/\(environment)/auth"
        let requests: [AuthenticationRequest] = try await message(LegacyCall(.get, path, secret: secret))
        let now = serverClock.date(at: clock.moment())
        return requests.first { ($0.status ?? .open) == .open && $0.deadline > now }
    }

    /// Approves or denies a request. The body and the request are signed with the site's secret.
    ///
    /// - Parameters:
    ///   - request: The request, as ``openRequest(in:)`` gave it: an open one to approve, whose time is not over.
    ///   - environment: The one that it was found in.
    ///   - status: `approved` or `denied`.
    /// - Returns: The request as the service has it now.
    /// - Throws: ``ApprovalError``: `notAnswerable` for another kind of request or another status, before anything is
    ///   sent; `expired` for an expired one; `nothingToDecide` for one that is answered or that the service does not
    ///   have; `notRegistered` without the site's secret; `wrongSecret`; others by network, service and store.
    @discardableResult
    public func answer(
        _ request: AuthenticationRequest,
        in environment: CustomerSiteID,
        with status: AuthenticationRequest.Status
    ) async throws(ApprovalError) -> AuthenticationRequest {
        guard request.kind == .instant, status == .approved || status == .denied else {
            throw ApprovalError(.notAnswerable, because: "only requests to approve can be approved or denied")
        }
        guard (request.status ?? .open) == .open else {
            throw ApprovalError(
                request.status == .expired ? .expired : .nothingToDecide, because: "it is \(request.status ?? .open)")
        }
        guard request.deadline > serverClock.date(at: clock.moment()) else {
            throw ApprovalError(.expired, because: "its time is over")
        }
        let secret = try await secret(of: environment)
        let path = "device/\(try await device())/instant/\(request.id)"
        var call = LegacyCall(.put, path, try json(StatusChange(status: status)), secret: secret)
        call.request = request.id
        let answered: AuthenticationRequest = try await message(call)
        guard answered.id == request.id, (answered.status ?? status) == status else {
            throw ApprovalError(.badAnswer, because: "another answer than was sent")
        }
        return answered
    }
}

/// One call of the legacy protocol.
private struct LegacyCall: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let body: [UInt8]
    /// The secret that authenticates it; `nil` for calls that nothing does.
    let secret: CustomerSiteSecret?
    /// The request that it answers; `nil` for others.
    var request: AuthenticationRequest.ID?

    init(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], secret: CustomerSiteSecret? = nil) {
        self.method = method
        self.path = path
        self.body = body
        self.secret = secret
    }
}

private struct StatusChange: Encodable {
    let status: AuthenticationRequest.Status

    enum CodingKeys: String, CodingKey { case status = "auth_status" }
}

private struct LegacySecretItem: Codable {
    let secret: String
    /// Whether the registration is to be ended, which the service has not confirmed yet.
    var isLeaving: Bool?
}

extension LegacyAuthenticatorClient {
    private var deviceItem: AuthenticatorItem { AuthenticatorItem("legacy device \(base.url.absoluteString)") }

    private func secretItem(_ environment: CustomerSiteID) -> AuthenticatorItem {
        AuthenticatorItem("legacy environment \(base.url.absoluteString) \(environment)")
    }

    private func keptDevice() async throws(ApprovalError) -> DeviceRegistration.ID? {
        try await store.message(deviceItem)
    }

    private func device() async throws(ApprovalError) -> DeviceRegistration.ID {
        guard let device = try await keptDevice() else {
            throw ApprovalError(.notRegistered, because: "this device has no identifier")
        }
        return device
    }

    private func secret(of environment: CustomerSiteID) async throws(ApprovalError) -> CustomerSiteSecret {
        let kept = try await kept(environment)
        guard kept.isLeaving != true else {
            throw ApprovalError(.notRegistered, because: "the registration in the environment was ended")
        }
        return CustomerSiteSecret(revealing: kept.secret)
    }

    private func kept(_ environment: CustomerSiteID) async throws(ApprovalError) -> LegacySecretItem {
        let kept: LegacySecretItem? = try await store.message(secretItem(environment))
        guard let kept else { throw ApprovalError(.notRegistered, because: "the environment's secret is not here") }
        return kept
    }

    private func json(_ message: some Encodable) throws(ApprovalError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(message))
        } catch {
            throw ApprovalError(.refused, because: "the message cannot be written as JSON")
        }
    }

    private func message<Message: Decodable>(_ call: LegacyCall) async throws(ApprovalError) -> Message {
        let answer = try await send(call)
        guard answer.response.status.kind == .successful else {
            throw ApprovalError(.badAnswer, because: "status \(answer.response.status.code)")
        }
        do throws(UnreadableAnswerError) {
            return try answer.decoded(Message.self)
        } catch {
            throw ApprovalError(.badAnswer, because: error.reason)
        }
    }

    private func done(_ call: LegacyCall) async throws(ApprovalError) {
        let answer = try await send(call)
        guard answer.response.status.kind == .successful else {
            throw ApprovalError(.badAnswer, because: "status \(answer.response.status.code)")
        }
    }

    private func send(_ call: LegacyCall) async throws(ApprovalError) -> HTTPAnswer {
        let endpoint: Endpoint
        do throws(Endpoint.ParsingError) {
            let text = "\(base.url.absoluteString)/\(call.path)"
            endpoint = try Endpoint(text, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw ApprovalError(.badAnswer, because: "the address of a call is \(error)")
        }
        var request = endpoint.request(call.method)
        request.headerFields[.contentType] = "application/json; charset=utf-8"
        request.headerFields[.accept] = "application/json; charset=utf-8"
        request.headerFields[.userAgent] = userAgent
        if let secret = call.secret {
            let token = CustomerSiteToken.text(
                by: secret,
                request: call.request?.rawValue,
                body: call.body.isEmpty ? nil : call.body,
                at: serverClock.date(at: clock.moment())
            )
            request.headerFields[.authorization] = "Bearer \(token)"
        }
        let answer: HTTPAnswer
        let sent = clock.instant()
        do throws(TransportError) {
            answer = try await transport.send(request, body: call.body, within: options.timeLimit)
        } catch {
            throw call.request == nil ? ApprovalError(looking: error) : ApprovalError(deciding: error)
        }
        if let date = answer.response.headerFields[.date].flatMap(HTTPDate.date(of:)) {
            let now = clock.instant()
            serverClock.observe(date, within: now - sent, at: now)
        }
        guard answer.response.status.code < 400 else {
            throw ApprovalError(legacy: answer, deciding: call.request != nil)
        }
        return answer
    }
}

extension DeviceDetails {
    /// The app's name to the service: `Bank/1.2 (com.example.bank; build:7; iOS 10.3)`.
    fileprivate func userAgent(of program: String, build: String) -> String {
        /// The part of a text that the header allows.
        func plain(_ text: String?, else other: String) -> String {
            let kept = (text ?? "").unicodeScalars.filter {
                (0x21...0x7E).contains($0.value) && !"();/\\\"".unicodeScalars.contains($0)
            }
            return kept.isEmpty ? other : String(String.UnicodeScalarView(kept.prefix(64)))
        }
        let system = "\(plain(platform, else: "unknown")) \(plain(systemVersion, else: "0"))"
        let app = "\(plain(program, else: "Countersign"))/\(plain(appVersion, else: "0"))"
        return "\(app) (\(plain(appID, else: "unknown")); build:\(plain(build, else: "0")); \(system))"
    }
}

extension ApprovalError {
    /// The service refused, in the error form of the legacy protocol.
    fileprivate init(legacy answer: HTTPAnswer, deciding: Bool) {
        let status = answer.response.status
        let words = (try? answer.decoded(AuthenticatorError.self))?.message ?? ""
        let reason = "status \(status.code): \(DeviceAuthorizationRequest.presentable(words, upTo: 200) ?? "")"
        switch status.code {
        case 401: self.init(.wrongSecret, because: reason)
        case 403: self.init(.policyRefused, because: reason)
        case 404: self.init(deciding ? .nothingToDecide : .notRegistered, because: reason)
        case 409: self.init(.nothingToDecide, because: reason)
        case 410: self.init(.expired, because: reason)
        case 429: self.init(.busy, because: reason)
        case 500...: self.init(failing: status, deciding: deciding, because: reason)
        default: self.init(.refused, because: reason)
        }
    }
}
