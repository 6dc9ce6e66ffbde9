internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/account/devices`: a person gets a QR code that signs in an app on their phone, and names and ends such devices;
/// `/authenticator/enroll`: the destination of a browser that opened such a code.
///
/// The ticket in the code stands behind `#`, so that no browser sends it to the server.
struct EnrollmentPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/devices/add", [.post: add], on: router)
        pages.mount("account/devices/name", [.post: name], on: router)
        pages.mount("account/devices/remove", [.post: remove], on: router)
        pages.mount("authenticator/enroll", [.get: arrive], on: router)
    }

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.submission(by: request)
        let now = services.clock.now()
        try await pages.requireRecent(visitor, at: now)
        let address = context.address(of: request, by: services.addresses)
        let invitation = try await EnrollmentTickets(core: services.core).make(for: visitor, from: address)
        guard let code = QRCode(invitation.revealed) else { throw PageError.notFound }
        let drawing = code.svg
        return try pages.html(
            EnrollmentView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                invitation: invitation.revealed,
                qrSize: "\(drawing.size)",
                qrPath: drawing.path,
                ends: TimeDisplay(now + EnrollmentTickets.lifetime, at: now),
                timeLeft: TimeDisplay.span(EnrollmentTickets.lifetime)
            )
        )
    }

    private func name(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let id = form["device"].map({ DeviceRegistration.ID($0) }) else { throw PageError.formExpired }
        // A form has no empty fields; without a name, the device loses its name.
        let name = form["device_name"] ?? ""
        let subject = visitor.person.subject
        let done = try await services.store.change(for: visitor, at: services.clock.now()) {
            repositories -> AccountPage.CompletedAct in
            guard var device = try repositories.devices.find(id), device.subject == subject else { return .nothing }
            device.rename(name)
            try repositories.devices.update(device)
            return .deviceNamed
        }
        return pages.redirect(to: done.address)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let id = form["device"].map({ DeviceRegistration.ID($0) }) else { throw PageError.formExpired }
        if let question = try await pages.question(
            before: try await removal(of: id, visitor), form, of: request, by: visitor)
        {
            return question
        }
        let now = services.clock.now()
        let address = context.address(of: request, by: services.addresses)
        let subject = visitor.person.subject
        let mint = services.mint
        let done = try await services.store.change(for: visitor, at: now) { repositories -> AccountPage.CompletedAct in
            guard let device = try repositories.devices.find(id), device.subject == subject else { return .nothing }
            try Revocation(repositories).remove(device, askedBy: .person, from: address, by: mint, at: now)
            return .deviceRemoved
        }
        return pages.redirect(to: done.address)
    }

    /// The question before it; `nil` for a device that is not the person's.
    private func removal(of id: DeviceRegistration.ID, _ visitor: SignedInVisitor) async throws -> DestructiveAct? {
        let device = try await services.store.read { try $0.devices.find(id) }
        guard let device, device.subject == visitor.person.subject else { return nil }
        return .removal(of: device)
    }

    private func arrive(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try pages.html(EnrollmentArrivalView())
    }
}
