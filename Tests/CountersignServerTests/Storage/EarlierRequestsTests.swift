import Countersign
import CountersignSQLite
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// Rows whose requests were given a user code that nobody was shown.
@Suite("A request that an earlier version stored")
struct EarlierRequestsTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    /// Expects a method of a request to Anna whose row an earlier version wrote.
    private func expect(_ method: SignInMethod, in columns: String = "", for domain: Domain? = nil) async throws {
        let request = SignInRequest(
            id: SignInRequest.ID("request"),
            client: .verified(ClientID("bank")),
            scope: .verified(.none),
            domain: domain.map { .verified($0) },
            addressee: Subject("anna"),
            asked: .observed(noon),
            deadline: noon + 60
        )
        let stored = SignInExchangeRecord(
            exchange: SignInExchange(request: request),
            requestCode: SecretDigest(of: "code"),
            method: .immediateGrant,
            interval: 5
        )
        try await TestServer.open { server in
            try await server.change { try $0.exchanges.insert(stored) }
            try await server.tamper("UPDATE exchanges SET user_code = randomblob(32)\(columns)")
            #expect(try await server.store.read { try $0.exchanges.find(request.id)?.method } == method)
        }
    }

    @Test func `keeps the binding of its authorization code`() async throws {
        let binding = AuthorizationBinding(
            redirectURI: "https://app.example", namesRedirectURI: true, challenge: nil, nonce: "n", dpopKey: nil)
        let row = #"{"namesRedirectURI":true,"nonce":"n","redirectURI":"https://app.example"}"#
        try await expect(.authorizationCode(binding), in: ", authorization_binding = '\(row)'")
    }

    /// The number of a request, after a miss.
    private var number: NumberToMatch {
        var number = NumberToMatch(DigitsCode(restoring: "42"))
        _ = number.match(DigitsCode(restoring: "43"))
        return number
    }
    private let numberRow = #""number":{"code":{"code":"42"},"digits":2,"misses":1}"#

    @Test func `keeps the terms of its approval`() throws {
        let row = #"{"isUnmet":true,"link":"same-network","showsNumber":true}"#
        let terms = ApprovalTerms(link: .sameNetwork, showsNumber: true, isUnattainable: true)
        #expect(try JSONDecoder().decode(ApprovalTerms.self, from: Data(row.utf8)) == terms)
        #expect(try JSONEncoder().encode(terms).count == row.utf8.count)
    }

    @Test(
        arguments: [
            (#"{"browser":{"_0":"session","name":"Firefox"}}"#, .browser(ApproverID("session"), name: "Firefox")),
            (#"{"browser":{"_0":"session"}}"#, .browser(ApproverID("session"), name: nil)),
            (#"{"app":{"_0":"grant"}}"#, .app(Grant.ID("grant"))),
            (#"{"olderDevice":{"_0":"device"}}"#, .olderDevice(DeviceRegistration.ID("device"))),
            (#"{"textMessage":{}}"#, .textMessage),
        ] as [(String, ApproverPlace)])
    func `keeps the place of its answer`(row: String, place: ApproverPlace) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try JSONDecoder().decode(ApproverPlace.self, from: Data(row.utf8)) == place)
        #expect(String(decoding: try encoder.encode(place), as: UTF8.self) == row)
    }

    @Test func `keeps the terms and the number of a client that named the person`() async throws {
        let message = BindingMessage("Till 4")
        let row = #", backchannel = '{"bindingMessage":"Till 4","deliveryMode":"ping"}'"#
        let terms = BackchannelTerms(deliveryMode: .ping, bindingMessage: message)
        try await expect(.backchannel(terms), in: row)
        let authenticator = #"{"hasFailed":false,"kind":"instant","messageType":"auto",\#(numberRow)}"#
        let numbered = BackchannelTerms(deliveryMode: .ping, bindingMessage: message, number: number)
        try await expect(.backchannel(numbered), in: "\(row), authenticator = '\(authenticator)'")
    }

    @Test func `keeps the terms of a customer's site`() async throws {
        var terms = CustomerSiteTerms.sample(.number(number), of: CustomerSiteID("bank"))
        terms.message = "Pay"
        terms.address = "203.0.113.7"
        terms.hasFailed = true
        let secret = String(decoding: try JSONEncoder().encode(terms.secret), as: UTF8.self)
        let row = #"""
            {"address":"203.0.113.7","askedNumber":"nobody","environment":"bank","hasFailed":true,"kind":"instant",\#
            "message":"Pay","messageType":"auto",\#(numberRow),"openingSecret":\#(secret)}
            """#
        try await expect(.customerSite(terms), in: ", authenticator = '\(row)'")
    }
}
