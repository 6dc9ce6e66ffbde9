public import CountersignTransport
public import CountersignWire
public import Countersign
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// Keeps the list of certificates that the app accepts from its service, and renews it.
///
/// ```swift
/// let pins = try CertificatePins(
///     at: "https://id.example.com/authenticator/pins", signedBy: key, keepingStateIn: items,
///     over: SystemTransport.make(), clock: .system)
/// await pins.refresh()
/// guard await pins.accepts(certificate, isTrusted: systemVerdict) else { return cancelTheConnection() }
/// ```
///
/// `SystemTransport.make(checking:)` makes a network that asks it for each connection.
///
/// The list is signed by a key that the app was built with; it has a version that only rises, and ends. A refresh that
/// fails changes nothing. A pin comes on top of the system's verdict, and never in its place.
public actor CertificatePins {
    /// The result of a refresh.
    public enum Refresh: Sendable, Equatable {
        /// A list was accepted.
        case taken(version: Int)
        /// The last attempt is not long enough ago.
        case notYet
        /// No list came; the old one stays in use.
        case failed(ApprovalError)
        /// The list was refused; the old one stays in use.
        case refused(PinnedCertificates.VerificationError)
    }

    private static let item = AuthenticatorItem("pins")

    private let endpoint: Endpoint
    private let key: JSONWebKey
    private let store: any AuthenticatorStore
    private let transport: any HTTPTransport
    private let interval: Duration
    private let options: ApprovalOptions
    private let clock: TimeSource
    private var asked: ContinuousClock.Instant?
    private var refreshing: Task<Refresh, Never>?

    /// Prepares the list; nothing is sent before ``refresh()``.
    ///
    /// - Parameters:
    ///   - address: The address of the list at the service.
    ///   - key: The key of the service that the app was built with.
    ///   - store: The store of the list.
    ///   - transport: The network.
    ///   - interval: The shortest time from one refresh to the next; an hour by default.
    ///   - options: Time limits, and whether servers without encryption are allowed.
    ///   - clock: The clocks of this device.
    /// - Throws: ``ApprovalError`` `badAnswer` for an invalid or unencrypted address.
    public init(
        at address: String,
        signedBy key: JSONWebKey,
        keepingStateIn store: any AuthenticatorStore,
        over transport: any HTTPTransport,
        every interval: Duration = .seconds(3600),
        options: ApprovalOptions = ApprovalOptions(),
        clock: TimeSource
    ) throws(ApprovalError) {
        do throws(Endpoint.ParsingError) {
            endpoint = try Endpoint(address, allowingInsecureHTTP: options.allowingInsecureHTTP)
        } catch {
            throw ApprovalError(.badAnswer, because: "the address of the pins is \(error)")
        }
        self.key = key
        self.store = store
        self.transport = transport
        self.interval = interval
        self.options = options
        self.clock = clock
    }

    /// The list that holds now; `nil` when there is none, or it has expired.
    ///
    /// - Throws: ``ApprovalError`` `storeUnusable`.
    public func current() async throws(ApprovalError) -> PinnedCertificates? {
        guard let text = try await kept() else { return nil }
        return try? PinnedCertificates(text, signedBy: key, at: clock.now())
    }

    /// Whether a connection may be used.
    ///
    /// - Parameters:
    ///   - certificate: The server's own certificate in DER.
    ///   - isTrusted: The verdict of the system, which is evaluated first. Nothing is accepted without it.
    /// - Returns: `true` when the system trusts the certificate and it is in the list; `false` also when there is no
    ///   list.
    public func accepts(_ certificate: [UInt8], isTrusted: Bool) async -> Bool {
        guard isTrusted, let pins = try? await current() else { return false }
        return pins.accepts(certificate, at: clock.now())
    }

    /// Asks for a newer list, at most once in an interval: at the start, and each time the app comes to the foreground.
    /// Calls at the same time share one request; one that was not answered may be repeated at once.
    @discardableResult
    public func refresh() async -> Refresh {
        if let refreshing { return await refreshing.value }
        let now = clock.instant()
        if let asked, now - asked < interval { return .notYet }
        asked = now
        let task = Task { await self.refreshNow() }
        refreshing = task
        let outcome = await task.value
        refreshing = nil
        // Without a list no connection is accepted, so a network that was away must not bar the app for an interval.
        if case .failed = outcome { asked = nil }
        return outcome
    }

    private func refreshNow() async -> Refresh {
        do throws(ApprovalError) {
            let old = try await kept()
            let text = try await fetch()
            let now = clock.now()
            // An expired list still defines the outdated versions.
            let version = old.flatMap { PinnedCertificates.version(of: $0, signedBy: key) } ?? 0
            let pins: PinnedCertificates
            do throws(PinnedCertificates.VerificationError) {
                pins = try PinnedCertificates(text, signedBy: key, notOlderThan: version, at: now)
            } catch {
                return .refused(error)
            }
            try await store.keep(text, as: Self.item)
            return .taken(version: pins.version)
        } catch {
            return .failed(error)
        }
    }

    private func kept() async throws(ApprovalError) -> String? { try await store.message(Self.item) }

    private func fetch() async throws(ApprovalError) -> String {
        var request = endpoint.request(.get)
        request.headerFields[.accept] = "application/jwt"
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(request, body: [], within: options.timeLimit)
        } catch {
            throw ApprovalError(looking: error)
        }
        guard answer.response.status == .ok else {
            throw ApprovalError(answer, to: ApproverCall(.get, "pins"))
        }
        return String(decoding: answer.body, as: UTF8.self).filter { !$0.isWhitespace }
    }
}

extension PinnedCertificates {
    /// The version of the last accepted list, regardless of its age.
    fileprivate static func version(of text: String, signedBy key: JSONWebKey) -> Int? {
        (try? PinnedCertificates(text, signedBy: key, at: .distantPast))?.version
    }
}
