import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("An address that is counted")
struct CountedAddressTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"),
        ("::1", "0:0:0:0::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%lo", "fe80:0:0:0::/64"),
    ])
    func `is counted as its network`(address: String, network: String) {
        #expect(CountedAddress.text(of: address) == network)
    }

    @Test func `of IPv6 lies in larger networks, which have larger limits`() {
        let key = RateLimitKey.address(.startPerAddress, "2001:db8:1:2ff:3:4:5:6")
        #expect(
            key.withWider.map(\.whom) == ["2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1:0::/48"])
        let limits = Limits()
        #expect(key.withWider.map { limits[$0]?.most } == [1_000, 4_000, 16_000])
        #expect(key.withWider.map(\.address) == ["2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1:0::/48"])
        #expect(RateLimitKey.address(.startPerAddress, "192.0.2.7").withWider.count == 1)
        #expect(RateLimitKey.address(.startPerAddress, "::ffff:192.0.2.7").withWider.count == 1)
        #expect(RateLimitKey.address(.startPerAddress, nil).withWider.count == 1)
        let named = RateLimitKey.name("anna", at: "2001:db8::1", .guessPerAddress)
        #expect(named.withWider.map(\.whom).last == "2001:db8:0:0::/48 anna")
    }

    /// Or one stranger would use up the attempts of everybody behind the same proxy.
    @Test func `that cannot be seen is not counted`() {
        let limits = Limits()
        #expect(limits[RateLimitKey.address(.startPerAddress, nil)] == nil)
        #expect(limits[RateLimitKey.name("anna", at: nil, .guessPerAddress)] == nil)
        #expect(limits[RateLimitKey.address(.startPerAddress, "192.0.2.7")] == Limit(1_000, in: 600))
        #expect(limits[RateLimitKey.name("anna", .passwordPerAccount)] == Limit(100, in: 3600))
    }
}

/// A public client can be impersonated by anybody, and anybody can register as many clients as they like.
@Suite("Whoever causes the cost of a request")
struct CostBearerTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func party(_ client: Client, _ provenance: Provenance) -> RateLimitKey {
        .party(
            client, provenance, at: "192.0.2.7", perClient: .startPerClient, perAddress: .startPerAddress)
    }

    @Test func `is a client that the operator registered and that proved who it is, wherever it is`() {
        let key = party(TestClients.console.record(created: now), .verified)
        #expect(key == .client(.startPerClient, TestClients.console.id))
        #expect(key.rule == .startPerClient && key.client == TestClients.console.id && key.address == nil)
    }

    @Test(arguments: [Provenance.asserted, .observed])
    func `is the network where anybody may have named the client`(provenance: Provenance) {
        for client in TestClients.allCases {
            let key = party(client.record(created: now), provenance)
            #expect(key == .address(.startPerAddress, "192.0.2.7"))
            #expect(key.rule == .startPerAddress && key.address == "192.0.2.7" && key.client == nil)
        }
    }

    @Test func `is the network of a client that registered itself, though it proves who it is`() {
        var client = TestClients.console.record(created: now)
        client.registration = .dynamic(
            DynamicRegistration(
                token: SecretDigest(of: "a registration"),
                expires: now + 600,
                method: .clientSecretPost,
                software: nil,
                allowance: .none
            )
        )
        #expect(party(client, .verified) == .address(.startPerAddress, "192.0.2.7"))
    }

    @Test func `is nobody where the address of a public client cannot be seen`() {
        let client = TestClients.tv.record(created: now)
        let key = RateLimitKey.party(
            client, .asserted, at: nil, perClient: .tokenPerClient, perAddress: .tokenPerAddress)
        #expect(Limits()[key] == nil)
    }
}
