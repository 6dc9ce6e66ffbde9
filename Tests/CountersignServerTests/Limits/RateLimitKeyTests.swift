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
    func `stands for its network`(address: String, network: String) {
        #expect(CountedAddress.text(of: address) == network)
    }

    @Test func `of IPv6 lies in larger networks, which have larger limits`() {
        let key = RateLimitKey.address(.startPerAddress, "2001:db8:1:2ff:3:4:5:6")
        #expect(
            key.withWider.map(\.whom) == ["2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1:0::/48"])
        let table = LimitTable()
        #expect(key.withWider.map { table[$0]?.most } == [1_000, 4_000, 16_000])
        #expect(key.withWider.map(\.address) == ["2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1:0::/48"])
        #expect(RateLimitKey.address(.startPerAddress, "192.0.2.7").withWider.count == 1)
        #expect(RateLimitKey.address(.startPerAddress, "::ffff:192.0.2.7").withWider.count == 1)
        #expect(RateLimitKey.address(.startPerAddress, nil).withWider.count == 1)
        let named = RateLimitKey.name("anna", at: "2001:db8::1", .passwordPerAccountAndAddress)
        #expect(named.withWider.map(\.whom).last == "2001:db8:0:0::/48 anna")
    }

    /// Or one stranger would use up the attempts of everybody behind the same proxy.
    @Test func `that cannot be seen is not counted`() {
        let table = LimitTable()
        #expect(table[RateLimitKey.address(.startPerAddress, nil)] == nil)
        #expect(table[RateLimitKey.name("anna", at: nil, .passwordPerAccountAndAddress)] == nil)
        #expect(table[RateLimitKey.address(.startPerAddress, "192.0.2.7")] == LimitTable.standard[.startPerAddress])
        #expect(table[RateLimitKey.name("anna", .passwordPerAccount)] == LimitTable.standard[.passwordPerAccount])
    }
}
