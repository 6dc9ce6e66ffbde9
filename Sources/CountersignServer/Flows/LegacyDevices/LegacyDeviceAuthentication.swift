internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import NIOConcurrencyHelpers

/// The identifier of a device of the older dialect, as it sends it. It suffices to read and change the registration, so
/// it is a secret.
struct LegacyDeviceID: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }
}

extension LegacyDeviceID {
    /// The identifier that the device is stored under: a digest, so that the database does not hold what the device
    /// sends.
    var stored: DeviceRegistration.ID { DeviceRegistration.ID(URLSafeText.encode(digest.bytes)) }
}

/// A device of the older dialect that showed by a token that it shares a secret with a site; made by
/// ``LegacyDeviceAuthentication`` alone.
struct AuthenticatedLegacyDevice: Sendable {
    let device: EnrolledDevice
    let environment: CustomerSite
    let person: Person
    /// The ticket whose secret it showed; `nil` when it is in the site already.
    let ticket: EnrollmentTicketRecord?
    /// The secret that it showed.
    let secret: CustomerSiteSecret
    /// Its enrolment, whose secret that is; `nil` when it is that of a ticket.
    private let enrollment: DeviceCustomerSite?

    fileprivate init(
        _ device: EnrolledDevice,
        in environment: CustomerSite,
        of person: Person,
        by shared: LegacyDeviceAuthentication.DeviceSecret
    ) {
        self.device = device
        self.environment = environment
        self.person = person
        secret = shared.secret
        switch shared.origin {
        case .ticket(let ticket): (self.ticket, enrollment) = (ticket, nil)
        case .enrollment(let enrollment): (ticket, self.enrollment) = (nil, enrollment)
        }
    }

    /// Requires in a change that device, person, site and enrolment are as they were looked up before.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 401.
    func require(in repositories: any Repositories) throws {
        guard let now = try LegacyDeviceAuthentication.found(device.id, in: environment.id, of: repositories),
            now.person.subject == person.subject,
            try enrollment == nil
                || repositories.devices.enrollment(of: device.id, in: environment.id) == enrollment
        else { throw CustomerSiteAPIError.unauthorized(because: "device, person or enrolment ended meanwhile") }
        guard now.person.isActive else { throw CustomerSiteAPIError.locked }
    }

    /// The device as the approver of a request.
    var approver: ApproverIdentity {
        ApproverIdentity(subject: person.subject, id: ApproverID("older-device-\(device.id)"))
    }
}

/// Authenticates devices of the older dialect by tokens of HS256.
///
/// A token of the dialect's first app is not bound to the call, so that a copy of it works for every call to the same
/// site for a minute; its wire form forces that. A token that names the body or the request must match the call, and
/// answers one request once.
final class LegacyDeviceAuthentication: Sendable {
    /// A device's call about a site.
    struct Call: Sendable {
        let device: LegacyDeviceID
        let environment: CustomerSiteID
        let token: CustomerSiteToken
        /// The body, byte for byte.
        var body: [UInt8] = []
        /// The request that the call is about; `nil` for calls about none.
        var request: AuthenticationRequest.ID?
        /// The network address of the call; `nil` where it cannot be seen.
        let address: String?
    }

    /// An accepted secret.
    struct DeviceSecret: Sendable {
        /// The origin of the secret.
        enum Origin: Sendable {
            case enrollment(DeviceCustomerSite)
            case ticket(EnrollmentTicketRecord)
        }

        let origin: Origin
        let secret: CustomerSiteSecret
    }

    private let services: FlowServices
    private let used: NIOLockedValueBox<ReplayMemory>

    /// The minimum number of answers that are remembered.
    private static let capacity = 100_000

    init(_ services: FlowServices) {
        self.services = services
        used = NIOLockedValueBox(ReplayMemory(capacity: Self.capacity))
    }

    /// The device that made a call, if it is in the site.
    ///
    /// - Parameter isJoining: Whether the secret of an invitation is accepted, too.
    /// - Throws: ``CustomerSiteAPIError`` of status 401, the same for a wrong device, site and secret, or of
    ///   status 403 for a person who is locked; ``RateLimitError``; ``StoreUnavailableError``.
    func authenticated(_ call: Call, isJoining: Bool = false) async throws -> AuthenticatedLegacyDevice {
        let keys = try await services.keys.current()
        let found = try await services.store.read { [self] in
            try device(of: call, isJoining: isJoining, trusting: keys, in: $0)
        }
        guard let found else {
            try await services.wrongProofs.refuse(from: call.address)
            throw CustomerSiteAPIError.unauthorized(because: "no such device, environment or secret")
        }
        if found.device.details.pushToken != nil { try await confirmPushToken(of: found.device.id) }
        return found
    }

    /// Confirms the push token that the device offered last, since it is authenticated now.
    private func confirmPushToken(of id: DeviceRegistration.ID) async throws {
        try await services.store.change { repositories in
            guard var device = try repositories.devices.find(id), device.confirmPushToken() else { return }
            try repositories.devices.update(device)
            try EnrolledDevices(repositories).claimPushToken(of: device)
        }
    }

    /// Lets a token that is bound to a body answer once.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 401.
    func use(_ token: CustomerSiteToken) throws {
        guard token.isForBody else { return }
        let finding = used.withLockedValue { $0.use(token.digest, made: token.made, at: services.clock.now()) }
        guard finding == .new else { throw CustomerSiteAPIError.unauthorized(because: "token: \(finding)") }
    }

    /// Whether a token was made with the secret of one of a device's sites, for this body.
    func isOwner(
        _ token: CustomerSiteToken,
        of device: DeviceRegistration.ID,
        sending body: [UInt8],
        trusting keys: Keys,
        in repositories: any Repositories
    ) throws -> Bool {
        let demands = CustomerSiteToken.Demands(body: body)
        return try repositories.devices.enrollments(of: device).contains { enrollment in
            guard let secret = keys.opened(enrollment) else { return false }
            return (try? token.verify(by: secret, meeting: demands, at: services.clock.now())) != nil
        }
    }

    private func device(
        of call: Call,
        isJoining: Bool,
        trusting keys: Keys,
        in repositories: any Repositories
    ) throws -> AuthenticatedLegacyDevice? {
        guard let found = try Self.found(call.device.stored, in: call.environment, of: repositories) else { return nil }
        // Claims of the token about the call must match the call; an app of the first kind makes none.
        let demands = CustomerSiteToken.Demands(
            request: call.token.unverifiedRequest == nil ? nil : call.request?.rawValue,
            body: call.token.isForBody ? call.body : nil
        )
        let shared = try secrets(
            found.device, call.environment, isJoining: isJoining, trusting: keys, in: repositories)
        let shown = shared.first {
            (try? call.token.verify(by: $0.secret, meeting: demands, at: services.clock.now())) != nil
        }
        guard let shown else { return nil }
        guard found.person.isActive else { throw CustomerSiteAPIError.locked }
        return AuthenticatedLegacyDevice(found.device, in: found.environment, of: found.person, by: shown)
    }

    /// The accepted secrets: the one that device and site share, and those in invitations of the person.
    private func secrets(
        _ device: EnrolledDevice,
        _ environment: CustomerSiteID,
        isJoining: Bool,
        trusting keys: Keys,
        in repositories: any Repositories
    ) throws -> [DeviceSecret] {
        var shared: [DeviceSecret] = []
        if let enrollment = try repositories.devices.enrollment(of: device.id, in: environment),
            let secret = keys.opened(enrollment)
        {
            shared.append(DeviceSecret(origin: .enrollment(enrollment), secret: secret))
        }
        guard isJoining, let subject = device.subject else { return shared }
        for ticket in try repositories.enrollmentTickets.sharing(
            with: subject, in: environment, at: services.clock.now())
        {
            if let secret = keys.opened(ticket) { shared.append(DeviceSecret(origin: .ticket(ticket), secret: secret)) }
        }
        return shared
    }
}

extension CustomerSiteAPIError {
    /// The answer to an authenticated device whose person is locked. Upon a 401 apps would forget the secret, which is
    /// valid again once the person is unlocked.
    fileprivate static let locked = CustomerSiteAPIError(
        .forbidden, "The account is locked for now.", because: "the person is locked")
}

extension LegacyDeviceAuthentication {
    /// A device of the older dialect with its person, who may be locked, and a site; `nil` when one of the three
    /// is not there, or takes no such devices.
    fileprivate static func found(
        _ id: DeviceRegistration.ID,
        in environment: CustomerSiteID,
        of repositories: any Repositories
    ) throws -> (device: EnrolledDevice, person: Person, environment: CustomerSite)? {
        guard let device = try repositories.devices.find(id), device.dialect == .shared, device.status == .verified,
            let subject = device.subject, let person = try repositories.people.find(subject),
            let environment = try repositories.environments.find(environment), environment.allowsLegacyDevices,
            try repositories.clients.find(environment.client) != nil
        else { return nil }
        return (device, person, environment)
    }
}

extension Keys {
    /// The secret that a device of the older dialect shares with a site; `nil` for a device of ours.
    func opened(_ enrollment: DeviceCustomerSite) -> CustomerSiteSecret? {
        secret(enrollment.sealedSecret, for: .secret(of: enrollment.device, in: enrollment.environment))
    }

    /// The secret that a ticket offers to a device of the older dialect; `nil` for a ticket of ours.
    func opened(_ ticket: EnrollmentTicketRecord) -> CustomerSiteSecret? {
        ticket.environment.flatMap { secret(ticket.sealedSecret, for: .secret(offeredTo: ticket.subject, by: $0)) }
    }

    private func secret(_ sealed: [UInt8]?, for use: SealedUse) -> CustomerSiteSecret? {
        sealed.flatMap { seal.opened($0, for: use) }.map {
            CustomerSiteSecret(revealing: String(decoding: $0, as: UTF8.self))
        }
    }
}

extension DecidingParty {
    /// A device of the older dialect, which shares a secret with the site that asks.
    static func legacyDevice(_ device: AuthenticatedLegacyDevice) -> DecidingParty {
        DecidingParty(approver: device.approver, typesDigits: false, place: .olderDevice(device.device.id))
    }
}
