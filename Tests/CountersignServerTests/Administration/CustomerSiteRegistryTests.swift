import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The register of sites", .server)
struct CustomerSiteRegistryTests {
    let server = TestServer.current

    private func register(_ server: TestServer) -> CustomerSiteRegistry {
        CustomerSiteRegistry(of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
    }

    private func clients(_ server: TestServer) -> ClientRegistry {
        ClientRegistry(of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
    }

    @Test func `adds a site together with its client, of one secret`() async throws {
        var draft = CustomerSiteDraft(name: " Bank ")
        draft.webhook = "https://b.example"
        let (site, secret) = try await register(server).add(draft)
        #expect(CustomerSiteID(parsing: site.id.rawValue) == site.id)
        #expect(site.webhook == "https://b.example")
        let client = try #require(try await server.store.read { try $0.clients.find(site.client) })
        #expect(client.name == "Bank" && client.kind == .confidential(secret.digest))
        let keys = try await server.server.services.keys.current()
        let stored = try await server.store.read { try $0.environments.find(site.id) }
        #expect(stored == site)
        #expect(stored.flatMap { keys.opened($0.secret, of: $0.id) } == secret)
        #expect(keys.opened(site.secret, of: CustomerSiteID("another")) == nil)
        let acts = try await server.store.read { try $0.audit.entries(before: .max, limit: 9).map(\.facts.act) }
        #expect(acts.prefix(2) == [.environmentAdded, .clientAdded])
    }

    @Test func `changes the name of the client with that of the site`() async throws {
        let register = register(server)
        let (site, _) = try await register.add(CustomerSiteDraft(name: "Bank"))
        let changed = try await register.change(site.id) { $0.name = "Bank 2" }
        #expect(changed?.isChanged == true && changed?.site.name == "Bank 2")
        #expect(try await server.store.read { try $0.clients.find(site.client) }?.name == "Bank 2")
        #expect(try await register.change(site.id) { $0.name = "Bank 2" }?.isChanged == false)
        #expect(try await register.change(CustomerSiteID("none")) { $0.name = "" }?.site == nil)
    }

    @Test func `keeps an old secret for a stated time, which maintenance ends`() async throws {
        let register = register(server)
        let (site, old) = try await register.add(CustomerSiteDraft(name: "Bank"))
        let renewed = try #require(try await register.renewSecret(of: site.id, keepingOldFor: 60))
        #expect(renewed.1 != old)
        let keys = try await server.server.services.keys.current()
        #expect(renewed.0.replaced.flatMap { keys.opened($0.sealed, of: site.id) } == old)
        let client = try await server.store.read { try $0.clients.find(site.client) }
        #expect(
            client?.kind
                == .confidential(
                    renewed.1.digest,
                    replaced: Client.ReplacedSecret(digest: old.digest, ends: server.clock.date + 60)))
        await #expect(throws: ClientRegistry.ChangeError.isEnvironment) {
            _ = try await clients(server).renewSecret(of: site.client, keepingOldFor: 0)
        }
        server.clock.advance(by: .seconds(60))
        try await server.maintenance().sweep()
        #expect(try await server.store.read { try $0.environments.find(site.id) }?.replaced == nil)
        let next = try #require(try await register.renewSecret(of: site.id, keepingOldFor: 0))
        #expect(next.0.replaced == nil)
        #expect(try await register.renewSecret(of: CustomerSiteID("none"), keepingOldFor: 0)?.1 == nil)
    }

    @Test(arguments: [true, false])
    func `removes the client too, from either side`(asClient: Bool) async throws {
        let register = register(server)
        let (site, _) = try await register.add(CustomerSiteDraft(name: "Bank"))
        if asClient {
            #expect(try await clients(server).remove(site.client))
        } else {
            #expect(try await register.remove(site.id))
        }
        #expect(try await register.find(site.id) == nil)
        #expect(try await server.store.read { try $0.clients.find(site.client) } == nil)
        #expect(try await !register.remove(site.id))
        let acts = try await server.store.read { try $0.audit.entries(before: .max, limit: 2).map(\.facts.act) }
        #expect(acts == [.clientRemoved, .environmentRemoved])
    }

    @Test func `makes and removes keys of apps`() async throws {
        let apps = AuthenticatorAppRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
        let app = try await apps.add(named: "Bank", bundleID: "com.example", project: nil)
        #expect(try await apps.all() == [app])
        #expect(try await apps.remove(app.key))
        #expect(try await !apps.remove(app.key))
        #expect(try await apps.all().isEmpty)
    }
}
