import Testing

@testable import CountersignCommand

@Suite("The address of a demo on the local network")
struct DemoAddressTests {
    @Test(arguments: [
        (["127.0.0.1", "203.0.113.7", "192.168.1.7", "10.0.0.1"], "192.168.1.7"),
        (["::1", "fe80::1", "2001:db8::7", "169.254.3.4", "203.0.113.7"], "203.0.113.7"),
        (["127.0.0.1", "::1", "169.254.3.4"], nil),
        ([], nil),
    ])
    func `is a private one first, and never one of this machine or of a link alone`(
        addresses: [String],
        expected: String?
    ) {
        #expect(DemoAddress.chosen(from: addresses) == expected)
    }
}
