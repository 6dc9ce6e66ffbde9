import Countersign
import CountersignWire
import Testing

@testable import CountersignHTTP

@Suite("The address of a client")
struct ClientAddressResolverTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "192.0.2.200", true), ("0.0.0.0/0", "198.51.100.7", true), ("0.0.0.0/0", "::1", false),
        ("2001:db8::/32", "2001:db8:1::7", true), ("2001:db8::/32", "2001:db9::7", false), ("::1", "::1", true),
        // A socket for both kinds shows an IPv4 address in the clothes of IPv6.
        ("10.1.2.3", "::ffff:10.1.2.3", true), ("10.0.0.0/8", "::ffff:10.255.0.1", true),
        ("10.0.0.0/8", "::ffff:11.0.0.1", false), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
        ("::ffff:10.0.0.0/104", "11.9.9.9", false),
    ])
    func `reaches as far as a network`(network: String, address: String, isInside: Bool) throws {
        #expect(try #require(AddressNetwork(network)).contains(address) == isInside)
    }

    @Test(arguments: [
        "", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8", "::/129", "::ffff:10.0.0.0/8",
        "10.0.0.1/8/8",
    ])
    func `takes no network of another form`(text: String) {
        #expect(AddressNetwork(text) == nil)
    }

    @Test(arguments: [
        // From somebody who is no proxy of ours, the header is worth nothing.
        ("198.51.100.9", ["203.0.113.5"], String?.none), ("10.0.0.1", ["203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["6.6.6.6, 203.0.113.5"], "203.0.113.5"), ("10.0.0.1", ["6.6.6.6", "203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["203.0.113.5, 10.0.0.2"], "203.0.113.5"), ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        ("10.0.0.1", [], nil), ("10.0.0.1", ["10.0.0.3"], "10.0.0.3"),
        ("10.0.0.1", ["10.0.0.4, 10.0.0.3"], "10.0.0.4"), ("10.0.0.1", ["203.0.113.5, <b>"], nil),
        ("::ffff:10.0.0.1", ["203.0.113.5"], "203.0.113.5"), ("10.0.0.1", ["::ffff:203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["203.0.113.5:40000"], "203.0.113.5"), ("10.0.0.1", ["[2001:db8::7]:443"], "2001:db8::7"),
        ("10.0.0.1", ["[2001:db8::7]"], "2001:db8::7"), ("10.0.0.1", ["203.0.113.5:x"], nil),
        ("10.0.0.1", ["[2001:db8::7]x"], nil), ("10.0.0.1", ["203.0.113.5:99999"], nil),
        ("10.0.0.1", ["unknown"], nil),
    ])
    func `goes back over proxies that are trusted`(peer: String, header: [String], expected: String?) throws {
        let addresses = ClientAddressResolver(
            issuer: try Issuer("https://id.example"),
            trustedProxies: [try #require(AddressNetwork("10.0.0.0/8"))]
        )
        #expect(addresses.client(of: peer, forwardedFor: header) == expected)
    }

    @Test func `is the other end where there is no proxy`() throws {
        let addresses = ClientAddressResolver(issuer: try Issuer("http://localhost:8080"), trustedProxies: [])
        #expect(addresses.client(of: "192.0.2.7", forwardedFor: ["203.0.113.5"]) == "192.0.2.7")
        #expect(addresses.client(of: nil, forwardedFor: ["203.0.113.5"]) == nil)
    }

    /// Standard: RFC 6052 §2.1; §3.1 for addresses that are not global, which no translator lets through.
    @Test func `is the IPv4 address that a translator wrote as an IPv6 one`() throws {
        let addresses = ClientAddressResolver(
            issuer: try Issuer("https://id.example"), trustedProxies: [], hasOwnTLS: true)
        #expect(addresses.client(of: "64:ff9b::192.0.2.7", forwardedFor: []) == "192.0.2.7")
        #expect(addresses.client(of: "64:ff9b::c000:207", forwardedFor: []) == "192.0.2.7")
        #expect(CountedAddress.text(of: "64:ff9b::192.0.2.7") == "192.0.2.7")
        #expect(CountedAddress.wider(than: "64:ff9b::192.0.2.7").isEmpty)
        #expect(AddressNetwork("127.0.0.1")?.contains("64:ff9b::127.0.0.1") == false)
        #expect(AddressNetwork("10.0.0.0/8")?.contains("64:ff9b::10.0.0.1") == false)
    }

    @Test(arguments: [
        // Behind a balancer or a container's gateway all clients have an inner address.
        ("https://id.example.com", "172.18.0.1", SameNetwork.unknown),
        ("https://id.example.com", "127.0.0.1", .unknown), ("https://id.example.com", "fd00::1", .unknown),
        ("https://id.example.com", "100.64.0.1", .unknown),
        ("https://198.51.100.1", "10.0.0.1", .unknown), ("https://[2001:db8::1]", "10.0.0.1", .unknown),
        ("https://id.example.com", "203.0.113.5", .yes), ("https://id.example.com", "2001:db8::7", .yes),
        // A server with an inner name has clients in inner networks.
        ("https://id.lan", "192.168.1.7", .yes), ("https://phone.local", "192.168.1.7", .yes),
        ("https://id", "10.0.0.1", .yes), ("https://192.168.1.2", "192.168.1.7", .yes),
        ("https://[fd00::2]", "fd00::1", .yes), ("http://localhost:8080", "127.0.0.1", .yes),
        ("http://127.0.0.1:8080", "127.0.0.1", .yes), ("http://[::1]:8080", "::1", .yes),
    ])
    func `says nothing of a network where it may be that of a balancer`(
        issuer: String,
        address: String,
        expected: SameNetwork
    ) throws {
        let addresses = ClientAddressResolver(issuer: try Issuer(issuer), trustedProxies: [], hasOwnTLS: true)
        #expect(addresses.sameNetwork(address, address) == expected)
    }

    @Test func `is compared when a proxy named it, also inside a network`() throws {
        let addresses = ClientAddressResolver(
            issuer: try Issuer("https://id.example.com"),
            trustedProxies: [try #require(AddressNetwork("127.0.0.1"))]
        )
        #expect(addresses.sameNetwork("192.168.1.7", "192.168.1.9") == .yes)
    }
}
