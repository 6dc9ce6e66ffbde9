import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import KeptDatabases
import Testing

@testable import CountersignServer

@Suite("The database of a release, opened today,", .server)
struct KeptDatabaseTests {
    let server = TestServer.current

    @Test(arguments: KeptDatabase.all, KeptDatabase.Engine.allCases)
    func `still serves all who are in it`(kept: KeptDatabase, engine: KeptDatabase.Engine) async throws {
        let parties = try kept.parties(on: engine)
        server.clock.setDate(Date(timeIntervalSince1970: parties.kept))
        try await ScratchDatabase.with(engine) { database in
            try database.restore(kept)
            try await database.withStore { store in
                try await server.restarted(over: store) { server in
                    try await expectPerson(parties, at: server)
                    try await expectBackend(parties, at: server)
                    try await expectSignIn(parties, at: server)
                }
                try await expectRows(parties, in: store)
            }
        }
    }

    /// The person signs in with the password, and sees the screen.
    private func expectPerson(_ parties: KeptDatabase.Parties, at server: TestServer) async throws {
        let browser = try await server.newBrowser()
        let form: Form = ["username": parties.person.username, "password": parties.person.password]
        let response = try await browser.post("login", form)
        let cookie = try #require(response.givenCookie)
        let account = try await server.get(server.path("account"), headers: [.cookie: cookie])
        #expect(account.status == .ok && account.text.contains("The kiosk"))
    }

    /// The confidential client gets a token for its secret.
    private func expectBackend(_ parties: KeptDatabase.Parties, at server: TestServer) async throws {
        for (secret, status) in [(parties.backend.secret, HTTPResponse.Status.ok), ("wrong", .unauthorized)] {
            let form: Form = [
                "grant_type": "client_credentials", "client_id": parties.backend.client, "client_secret": secret,
            ]
            #expect(try await server.post(server.path("token"), form).status == status)
        }
    }

    /// The access token and the refresh token of the screen hold.
    private func expectSignIn(_ parties: KeptDatabase.Parties, at server: TestServer) async throws {
        let person = try await server.get(
            server.path("userinfo"),
            headers: [.authorization: BearerHeader.value(for: AccessToken(revealing: parties.screen.accessToken))])
        #expect(person.status == .ok && person.text.contains("Olga Old"))
        let form: Form = [
            "grant_type": "refresh_token", "client_id": parties.screen.client,
            "refresh_token": parties.screen.refreshToken,
        ]
        let renewed = try await server.post(server.path("token"), form).json(TokenResponse.self)
        #expect(renewed.refreshToken != nil)
        #expect(try await server.honours(renewed.accessToken))
    }

    /// Other rows are read, the group has its member, and the audit is whole, with what was added just now.
    private func expectRows(_ parties: KeptDatabase.Parties, in store: any Store) async throws {
        try await store.change { repositories in
            let person = try #require(try repositories.people.find(Username(rawValue: parties.person.username)))
            #expect(try repositories.groups.all(of: person.subject).map(\.rawValue) == [parties.group])
            #expect(try repositories.phoneNumbers.all(of: person.subject).count == 1)
            #expect(try repositories.devices.all(of: person.subject).count == parties.devices ?? 0)
            #expect(try repositories.browserSessions.all(of: person.subject).isEmpty == false)
            #expect(try repositories.claimMappings.all().count == 1)
            #expect(try repositories.domains.all().count == 1)
            let entries = try repositories.audit.entries(after: 0, limit: 1_000)
            #expect(Set(entries.map(\.facts.act)).isSuperset(of: [.personAdded, .signedIn]))
            #expect(try Audit(repositories).verify().number == entries.last?.number)
        }
    }
}
