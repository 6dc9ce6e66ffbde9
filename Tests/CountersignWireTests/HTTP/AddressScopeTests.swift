import Testing

@testable import CountersignWire

@Suite("The scope of an address")
struct AddressScopeTests {
    @Test(arguments: ["fe80::1%eth0", "fe80::1%wlan0.1", "fe80::1%br-lan", "fe80::1%1"])
    func `names an interface, and is no part of the address`(address: String) {
        #expect(AddressNetwork.bytes(of: address) == AddressNetwork.bytes(of: "fe80::1"))
    }

    @Test(arguments: [
        "A::7:44%[\"`", "fe80::1%", "fe80::1%<b>", "fe80::1%a b", "fe80::1%é", "fe80::1%eth0%eth1", "192.0.2.7%eth0",
        "fe80::1%012345678901234567890123456789012",
    ])
    func `is nothing else`(address: String) {
        #expect(!AddressNetwork.isAddress(address))
    }
}
