import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The draft of a client")
struct ClientDraftTests {
    private let created = Date(timeIntervalSince1970: 1_800_000_000)

    private func client(_ change: (inout Client) -> Void = { _ in }) -> Client {
        var client = ClientDraft.usual(
            ClientID("web"), kind: .confidential(SecretDigest(of: "secret")), created: created)
        client.redirects.redirectURIs = ["https://web.example/done"]
        client.redirects.backChannelLogout = BackChannelLogout(
            uri: "https://web.example/logout", requiresSession: true)
        client.minimumEvidence = ScopeDemands([.nearby], within: 300)
        client.serves = ["https://api.example.com"]
        change(&client)
        return client
    }

    @Test func `with all members of a client leaves it as it is`() throws {
        for client in [
            client(),
            client {
                $0.tokenFormat = .es256; $0.lifetimes.accessToken = 300
            },
        ] {
            var applied = client
            try ClientDraft(of: client).changing(client).apply(to: &applied)
            #expect(applied == client)
            // The algorithm of the ID tokens is chosen then.
            try ClientDraft(of: client).apply(to: &applied)
            applied.chosenIDTokenAlgorithm = client.chosenIDTokenAlgorithm
            #expect(applied == client)
        }
    }

    @Test func `reads the fields that it made`() {
        let draft = ClientDraft(of: client())
        #expect(ClientDraft(draft.submitted) == draft)
    }

    @Test func `takes away what is empty in a whole form, and nothing in another`() {
        let draft = ClientDraft(of: client())
        var form = draft.submitted
        form[ClientMember.serves.rawValue] = nil
        #expect(ClientDraft(form)[.serves] == [])
        form[ClientDraft.whole] = nil
        #expect(ClientDraft(form)[.serves] == nil)
    }

    @Test func `takes a list away that is empty, and keeps what it does not name`() throws {
        var (changed, draft) = (client(), ClientDraft())
        draft[.serves] = [""]
        draft[.logoutURI] = [""]
        try draft.apply(to: &changed)
        #expect(
            changed
                == client {
                    $0.serves = []; $0.redirects.backChannelLogout = nil
                })
    }

    @Test func `shortens the life of access tokens that become JWTs`() throws {
        var (changed, draft) = (client(), ClientDraft())
        draft[.tokenFormat] = ["es256"]
        try draft.apply(to: &changed)
        #expect(
            changed
                == client {
                    $0.tokenFormat = .es256; $0.lifetimes.accessToken = 300
                })
    }

    @Test(arguments: [
        (ClientMember.scope, "a\"b", ClientDraftError.badScope), (.name, "two\nlines", .badName),
        (.grantTypes, "implicit", .unknownGrant("implicit")),
        (.consent, "maybe", .notOneOf(.consent, ["ask", "skip"])),
        (.accessTokenLifetime, "soon", .outOfRange(.accessTokenLifetime, 10...86_400, .opaque)),
        (.redirectURIs, "http://web.example/", .badAddress(.redirectURIs, "http://web.example/", .plainHTTP)),
        (.redirectURIs, "", .needsAddress(.redirectURIs)), (.signedRequests, "required", .needsKeys),
    ])
    func `says what does not go`(member: ClientMember, text: String, expected: ClientDraftError) {
        var draft = ClientDraft()
        draft[member] = [text]
        var changed = client { $0.grantTypes = [.authorizationCode] }
        #expect(throws: expected) { try draft.apply(to: &changed) }
    }

    @Test(arguments: [
        ([], [GrantType.deviceCode, .refreshToken]), ([""], [.deviceCode, .refreshToken]),
        (["https://web.example/done"], [.authorizationCode, .refreshToken]),
        (["org.example.app:/done"], [.authorizationCode, .refreshToken]),
        (["http://127.0.0.1/callback", "http://[::1]/callback"], [.authorizationCode, .deviceCode, .refreshToken]),
        (["http://localhost/callback"], [.authorizationCode, .deviceCode, .refreshToken]),
        (["http://127.0.0.1/callback", "https://web.example/done"], [.authorizationCode, .refreshToken]),
    ])
    func `lets a new client show codes, except one with addresses elsewhere`(addresses: [String], grants: [GrantType])
        throws
    {
        var draft = ClientDraft()
        draft[.redirectURIs] = addresses
        #expect(try draft.client("tv", kind: .public, created: created).grantTypes == grants)
        draft[.grantTypes] = ["authorization_code"]
        if addresses.contains(where: { !$0.isEmpty }) {
            #expect(try draft.client("tv", kind: .public, created: created).grantTypes == [.authorizationCode])
        }
    }

    @Test func `names the options of the command in its sentences`() {
        #expect("\(ClientDraftError.notOneOf(.dpop, ["a", "b", "c"]))" == "--dpop is a, b or c.")
        #expect(
            "\(ClientDraftError.needs(.logoutSession, .logoutURI))"
                == "--back-channel-logout-session needs --back-channel-logout-uri.")
    }
}

extension ClientDraft {
    /// The form as a browser sends it.
    var submitted: Form {
        var form: Form = [Self.whole: "yes"]
        for field in fields {
            let chosen = field.fieldChoices.first(where: \.choiceIsSelected)
            form[field.fieldName] = chosen?.choiceValue ?? field.fieldValue
        }
        return form
    }
}
