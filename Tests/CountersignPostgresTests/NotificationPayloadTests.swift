#if PostgreSQL
import Countersign
import CountersignServer
import Testing

@testable import CountersignPostgres

@Suite("A notification")
struct NotificationPayloadTests {
    private let everyKind: [StoreChange] = [
        .client(ClientID("tv:1\n2")), .person(Subject("änne")), .domain(Domain("sp:80")),
        .exchange(SignInRequest.ID(""), requestCode: SecretDigest(of: "code")),
        .accessToken(SecretDigest(of: "token")), .tokensOfGrant(Grant.ID("5:five")),
        .tokensOfClient(ClientID("0:")), .inbox(Subject("an:na")), .serverKeys, .groups, .claims,
        .anything,
    ]

    @Test func `carries every kind`() {
        let texts = NotificationPayload.texts(of: everyKind, from: "node")
        #expect(texts.count == 1)
        let message = NotificationPayload(parsing: texts.first ?? "")
        #expect(message.node == "node")
        #expect(message.changes == everyKind)
    }

    @Test func `of nothing is not sent`() {
        #expect(NotificationPayload.texts(of: [], from: "node") == [])
    }

    @Test func `is split where it would be too long`() {
        let changes = (0..<500).map { StoreChange.accessToken(SecretDigest(of: "\($0)")) }
        let texts = NotificationPayload.texts(of: changes, from: "node")
        #expect(texts.count > 1)
        #expect(texts.allSatisfy { $0.utf8.count < 8_000 })
        #expect(texts.flatMap { NotificationPayload(parsing: $0).changes } == changes)
    }

    @Test func `says that anything may have changed where a name is too long for it`() {
        let texts = NotificationPayload.texts(
            of: [.serverKeys, .client(ClientID(String(repeating: "ä", count: 8_000)))],
            from: "node"
        )
        #expect(texts.map { NotificationPayload(parsing: $0).changes } == [[.serverKeys, .anything]])
    }

    @Test(arguments: [
        "4:node7:unknown1:x", "4:node6:client", "4:node6:client9:short", "4:node11:accessToken2:zz", "4:nodex",
        "4:node6:client-1:", "4:node99999999999999999999:x", "4:node8:exchange1:a2:00",
    ])
    func `that cannot be understood may be about anything`(text: String) {
        #expect(NotificationPayload(parsing: text).node == "node")
        #expect(NotificationPayload(parsing: text).changes == [.anything])
    }

    @Test(arguments: ["", ":", "node", "-1:", "9223372036854775807:x", "5:node"])
    func `of nobody belongs to nobody`(text: String) {
        #expect(NotificationPayload(parsing: text).node == "")
    }
}
#endif
