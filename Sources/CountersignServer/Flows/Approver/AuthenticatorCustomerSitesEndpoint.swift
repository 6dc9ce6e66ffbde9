internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/authenticator/environments`: the sites where an enrolled device answers; it joins one by a ticket.
struct AuthenticatorCustomerSitesEndpoint: Sendable {
    let requests: ApproverRequests
    private var services: FlowServices { requests.services }
    private static let path = "authenticator/environments"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(
            Self.path, [.get: services.proofs.givingNonces(list), .post: services.proofs.givingNonces(joinByTicket)])
        router.endpoint(
            "\(Self.path)/{environment}",
            [.put: services.proofs.givingNonces(join), .delete: services.proofs.givingNonces(leave)]
        )
    }

    private static let refused = OAuthError(
        .invalidGrant,
        "the ticket is not good",
        because: "unknown, used, expired, or another environment's or person's"
    )

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let listed = try await services.store.read { repositories -> [CustomerSiteListing] in
                let app = try caller.app(in: repositories)
                guard let device = try repositories.devices.find(app.signIn.grant.id) else { return [] }
                return try repositories.devices.enrollments(of: device.id).compactMap {
                    try CustomerSiteListing($0.environment, in: repositories)
                }
            }
            return try .json(listed)
        }
    }

    private func join(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path(in: context)) { caller in
            try await caller.authenticate()
            _ = try await joined(try Self.named(in: context), by: request, of: caller)
            return ApproverRequests.done
        }
    }

    /// The same for an app that scanned a ticket, which names its site.
    private func joinByTicket(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            try await caller.authenticate()
            return try .json(try await joined(nil, by: request, of: caller))
        }
    }

    /// Lets a device join a site by the ticket in a request.
    ///
    /// - Parameter named: The site; `nil` for the one that the ticket is for.
    /// - Throws: ``OAuthError`` `invalid_grant` for a ticket that is not good.
    private func joined(
        _ named: CustomerSiteID?,
        by request: Request,
        of caller: ApproverRequests.Caller
    ) async throws -> CustomerSiteListing {
        let ticket = EnrollmentTicket(revealing: try await request.form().required("ticket"))
        let now = services.clock.now()
        let joined = try await services.store.change { repositories -> CustomerSiteListing? in
            let app = try caller.countedApp(in: repositories)
            let device = try requests.device(of: app, in: repositories)
            guard let id = try named ?? repositories.enrollmentTickets.find(ticket.digest)?.environment,
                try join(id, device, by: ticket, at: now, in: repositories)
            else { return nil }
            return try CustomerSiteListing(id, in: repositories)
        }
        guard let joined else { throw Self.refused }
        return joined
    }

    /// Enrols a device by a ticket; returns whether the ticket is good. The same device may repeat it; a second device
    /// is refused, and the first is notified.
    private func join(
        _ environment: CustomerSiteID,
        _ device: EnrolledDevice,
        by presented: EnrollmentTicket,
        at now: Date,
        in repositories: any Repositories
    ) throws -> Bool {
        guard var ticket = try repositories.enrollmentTickets.find(presented.digest),
            ticket.environment == environment, ticket.subject == device.subject, now < ticket.expires,
            try CustomerSiteListing(environment, in: repositories) != nil
        else { return false }
        if let use = ticket.use {
            guard use.signIn == device.signIn else {
                if let first = use.signIn {
                    try Announcements(repositories).announceReuse(by: first, by: services.mint, at: now)
                }
                return false
            }
        } else {
            ticket.use = EnrollmentTicketRecord.Use(at: now, signIn: device.signIn, gaveSignIn: false)
            try repositories.enrollmentTickets.update(ticket)
        }
        guard try repositories.devices.enrollment(of: device.id, in: environment) == nil else { return true }
        try repositories.devices.enroll(DeviceCustomerSite(device: device.id, environment: environment, added: now))
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .environmentJoined,
                by: .person,
                subject: ticket.subject,
                client: ClientID(environment.rawValue),
                detail: device.shownInAudit
            )
        )
        return true
    }

    private func leave(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        return try await requests.answering(request, in: context, at: Self.path(in: context)) { caller in
            try await caller.authenticate()
            let id = try Self.named(in: context)
            let now = services.clock.now()
            try await services.store.change { repositories in
                let app = try caller.app(in: repositories)
                guard let device = try repositories.devices.find(app.signIn.grant.id),
                    try repositories.devices.unenroll(device.id, from: id)
                else { return }
                try Audit(repositories).record(
                    AuditEntry.Facts(
                        at: now,
                        .environmentLeft,
                        by: .person,
                        subject: app.person.subject,
                        client: ClientID(id.rawValue),
                        detail: device.shownInAudit
                    )
                )
            }
            return ApproverRequests.done
        }
    }

    /// The path of the call, for a proof of possession.
    private static func path(in context: ServerRequestContext) -> String {
        "\(path)/\(context.parameters.get("environment") ?? "")"
    }

    /// The site that the path names.
    private static func named(in context: ServerRequestContext) throws -> CustomerSiteID {
        guard let id = CustomerSiteID(parsing: context.parameters.get("environment") ?? "") else {
            throw OAuthError(.invalidRequest, "the environment is no UUID", because: "an unreadable environment")
        }
        return id
    }
}

extension CustomerSiteListing {
    /// The site as a list shows it; `nil` when it was removed.
    init?(_ environment: CustomerSiteID, in repositories: any Repositories) throws {
        guard let client = try repositories.clients.find(ClientID(environment.rawValue)) else { return nil }
        self =
            try repositories.environments.find(environment)?.listed
            ?? CustomerSiteListing(id: environment, name: client.name)
    }
}
