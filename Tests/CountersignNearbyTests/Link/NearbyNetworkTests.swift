import Testing

@testable import CountersignNearby

@Suite("The network of an address")
struct NearbyNetworkTests {
    private func network(_ text: String) -> NearbyNetwork { NearbyNetwork(NearbyAddress(text)) }

    @Test func `is an address of version 4 itself, in a cloak of version 6 too`() {
        #expect(NearbyAddress("::ffff:10.0.0.7") == NearbyAddress("10.0.0.7"))
        #expect(NearbyAddress("::FFFF:10.0.0.7").text == "10.0.0.7")
        #expect(NearbyAddress("fe80::1").text == "fe80::1")
        #expect(network("::ffff:10.0.0.7") == network("10.0.0.7"))
        #expect(network("10.0.0.7") != network("10.0.0.8"))
    }

    @Test(arguments: [
        ("fe80::1", "fe80:0:0:0"), ("fe80::1%eth0", "fe80:0:0:0"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"),
        ("2001:DB8:01:0002::6", "2001:db8:1:2"), ("2001:db8::1:2:3:4:5", "2001:db8:0:1"), ("::1", "0:0:0:0"),
        ("::", "0:0:0:0"), ("2001:db8::", "2001:db8:0:0"),
    ])
    func `is the first 64 bits of an address of version 6`(address: String, expected: String) {
        #expect(network(address).description == expected)
    }

    @Test func `holds every address that begins with the same 64 bits`() {
        #expect(Set((1...200).map { network("2001:db8::\(String($0, radix: 16))") }).count == 1)
        #expect(network("2001:db8:0:1::1") != network("2001:db8:0:2::1"))
    }

    @Test(arguments: ["", ":", "::::", "not an address", "a:b:c:d:e:f:g:h:i:j", "%", "1:zz::"])
    func `of any text is one, and nothing traps`(text: String) {
        #expect(network(text) == network(text))
    }
}
