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

    /// Or one stranger would use up the attempts of everybody behind the same proxy.
    @Test func `that cannot be seen is not counted`() {
        let table = LimitTable()
        #expect(table[RateLimitKey.address(.startPerAddress, nil)] == nil)
        #expect(table[RateLimitKey.name("anna", at: nil, .passwordPerAccountAndAddress)] == nil)
        #expect(table[RateLimitKey.address(.startPerAddress, "192.0.2.7")] == LimitTable.standard[.startPerAddress])
        #expect(table[RateLimitKey.name("anna", .passwordPerAccount)] == LimitTable.standard[.passwordPerAccount])
    }
}
