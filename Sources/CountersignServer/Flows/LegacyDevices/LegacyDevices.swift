internal import Countersign
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Finds devices of the older dialect, and lets them join and leave sites.
struct LegacyDevices: Sendable {
    let store: any Store
    let keys: KeyRing
    let clock: TimeSource
    /// Counts wrong identifiers of devices.
    let wrongProofs: WrongProofLimiter
    let limits: StoredRateLimiter
    let authentication: LegacyDeviceAuthentication
    let numbers: PhoneNumberService

    static let unknown = CustomerSiteAPIError.missing("There is no such device.")

    /// A device by its identifier.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 404; ``RateLimitError`` after too many wrong ones;
    ///   ``StoreUnavailableError``.
    func known(_ id: LegacyDeviceID, from address: String?) async throws -> EnrolledDevice {
        let stored = id.stored
        if let device = try await store.read({ try $0.devices.find(stored) }), device.dialect == .shared {
            return device
        }
        try await wrongProofs.refuse(from: address)
        throw Self.unknown
    }

    /// Lets a device join the site whose secret it authenticated with.
    ///
    /// The secret is the device's from then on, in place of an earlier one.
    ///
    /// - Returns: The site, for the list of the device.
    /// - Throws: ``CustomerSiteAPIError`` of status 401 when another device was faster, or the device is gone by now;
    ///   ``StoreUnavailableError``.
    func join(_ joining: AuthenticatedLegacyDevice, from address: String?) async throws -> CustomerSiteListing {
        guard let ticket = joining.ticket else { return joining.environment.listed }
        let (now, environment) = (clock.now(), joining.environment.id)
        let sealed = try await keys.current().seal.sealed(
            Array(joining.secret.revealed.utf8), for: .secret(of: joining.device.id, in: environment))
        return try await store.change { repositories in
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

    /// Lets a device leave a site: its secret is worth nothing from then on.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 401 when it has left it meanwhile; ``StoreUnavailableError``.
    func leave(_ leaving: AuthenticatedLegacyDevice, from address: String?) async throws {
        let now = clock.now()
        try await store.change { repositories in
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
