internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// Finds devices of the older dialect, and lets them join and leave sites.
struct LegacyDevices: Sendable {
    let services: FlowServices
    let authentication: LegacyDeviceAuthentication

    init(services: FlowServices) {
        self.services = services
        authentication = LegacyDeviceAuthentication(services)
    }

    static let unknown = CustomerSiteAPIError.missing("There is no such device.")

    /// A device by its identifier.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 404; ``RateLimitError`` after too many wrong ones;
    ///   ``StoreUnavailableError``.
    func known(_ id: LegacyDeviceID, from address: String?) async throws -> EnrolledDevice {
        let stored = id.stored
        if let device = try await services.store.read({ try $0.devices.find(stored) }), device.dialect == .shared {
            return device
        }
        try await services.wrongProofs.refuse(from: address)
        throw Self.unknown
    }

    /// Lets a device join the site whose secret it authenticated with.
    ///
    /// The secret replaces an earlier one of the device.
    ///
    /// - Returns: The site, for the list of the device.
    /// - Throws: ``CustomerSiteAPIError`` of status 401 when another device was faster, or the device is gone by now;
    ///   ``StoreUnavailableError``.
    func join(_ joining: AuthenticatedLegacyDevice, from address: String?) async throws -> CustomerSiteListing {
        guard let ticket = joining.ticket else { return joining.environment.listed }
        let (now, environment) = (services.clock.now(), joining.environment.id)
        let sealed = try await services.keys.current().seal.sealed(
            Array(joining.secret.revealed.utf8), for: .secret(of: joining.device.id, in: environment))
        return try await services.store.change { repositories in
            try joining.require(in: repositories)
            guard var ticket = try repositories.enrollmentTickets.find(ticket.digest), ticket.use == nil,
                now < ticket.expires
            else { throw CustomerSiteAPIError.unauthorized(because: "the secret is used") }
            ticket.use = EnrollmentTicketRecord.Use(at: now, signIn: nil, gaveSignIn: false)
            try repositories.enrollmentTickets.update(ticket)
            try repositories.devices.enroll(
                DeviceCustomerSite(
                    device: joining.device.id,
                    environment: environment,
                    sealedSecret: sealed,
                    of: joining.person.subject,
                    added: now
                )
            )
            try Audit(repositories).record(facts(.legacyDeviceJoined, joining, at: now, from: address))
            return joining.environment.listed
        }
    }

    /// Lets a device leave a site, which ends its secret.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 401 when it has left it meanwhile; ``StoreUnavailableError``.
    func leave(_ leaving: AuthenticatedLegacyDevice, from address: String?) async throws {
        let now = services.clock.now()
        try await services.store.change { repositories in
            try leaving.require(in: repositories)
            _ = try repositories.devices.unenroll(leaving.device.id, from: leaving.environment.id)
            try Audit(repositories).record(facts(.legacyDeviceLeft, leaving, at: now, from: address))
        }
    }

    private func facts(
        _ act: AuditAct,
        _ device: AuthenticatedLegacyDevice,
        at now: Date,
        from address: String?
    ) -> AuditEntry.Facts {
        AuditEntry.Facts(
            at: now,
            act,
            by: .person,
            subject: device.person.subject,
            client: device.environment.client,
            address: address,
            detail: device.device.details.model
        )
    }
}
