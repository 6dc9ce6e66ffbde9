internal import Hummingbird

extension AuthorizationServer {
    /// The pages of administrators that the browser may return to.
    static let administrationReturns =
        [
            AdminIndexPage.returns, PeoplePage.returns, GroupsPage.returns, ClaimsPage.returns, ClientsPage.returns,
            RegistrationTokensPage.returns, DomainsPage.returns, CustomerSitesPage.returns, ProvidersPage.returns,
            KeysPage.returns, DeliveriesPage.returns, RequestsPage.returns, SessionsPage.returns, LimitsPage.returns,
            AuditPage.returns,
        ]

    /// Mounts the pages of administrators.
    func mountAdministration(on router: some RouterMethods<ServerRequestContext>) {
        let core = services.core
        AdminIndexPage(pages: pages).mount(on: router)
        PeoplePage(pages: pages, core: core).mount(on: router)
        GroupsPage(pages: pages, core: core).mount(on: router)
        ClaimsPage(pages: pages, core: core).mount(on: router)
        ClientsPage(pages: pages, core: core).mount(on: router)
        RegistrationTokensPage(pages: pages, core: core).mount(on: router)
        DomainsPage(pages: pages, core: core).mount(on: router)
        CustomerSitesPage(pages: pages, core: core).mount(on: router)
        ProvidersPage(pages: pages, core: core, providers: services.providers).mount(on: router)
        KeysPage(pages: pages, core: core).mount(on: router)
        let audit = AuditPage(pages: pages, core: core)
        audit.mount(on: router)
        SessionsPage(pages: pages, core: core, audit: audit).mount(on: router)
        LimitsPage(pages: pages, core: core, audit: audit).mount(on: router)
        DeliveriesPage(pages: pages, core: core).mount(on: router)
        RequestsPage(pages: pages, core: core).mount(on: router)
    }
}
