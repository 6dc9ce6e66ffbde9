import MulticastDNS
import Foundation
import Testing

@Suite("An answer to a search", .serialized, .enabled(if: Network.canBeMade, Comment(rawValue: Network.need)))
struct BeliefTests {
    /// A packet with everything about a service that does not exist.
    private func packet(_ name: String) throws -> String {
        let (list, host) = (try DomainName("_http", "_tcp", "local"), try DomainName("fake", "local"))
        let instance = try DomainName(name).below(list)
        let message = Message.response([
            ResourceRecord(list, .pointer(instance), lifetime: 120, isUnique: false),
            ResourceRecord(instance, .service(.init(port: 1, host: host)), lifetime: 120, isUnique: true),
            ResourceRecord(instance, .text([[]]), lifetime: 120, isUnique: true),
            ResourceRecord(host, .address([10, 78, 0, 2]), lifetime: 120, isUnique: true),
        ])
        return message.packets()[0].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func send(_ name: String, from source: String, port: Int, to target: String, on network: Network)
        async throws
    {
        try await network.runPython("send.py", "\(try packet(name)) \(source) \(port) \(target)", on: .b)
    }

    @Test func `is believed from the link only, and from the right port only`() async throws {
        try await Network.with { network in
            try await network.run("ip address add 192.0.2.7/24 dev eth0", on: .b)
            try await network.run("ip route add 192.0.2.0/24 dev eth0", on: .a)
            let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .a)
            let first = try network.countersign("dns-sd advertise Listening _http._tcp 9", on: .b)
            try await browser.line(with: "resolved", "Listening")
            try await first.stop()

            try await send("Elsewhere", from: "192.0.2.7", port: 5353, to: "10.78.0.1", on: network)
            try await send("Resolver", from: "10.78.0.2", port: 5354, to: "10.78.0.1", on: network)
            try await send("Resolver for all", from: "10.78.0.2", port: 5354, to: "224.0.0.251", on: network)
            try await send("Neighbour", from: "10.78.0.2", port: 5353, to: "10.78.0.1", on: network)
            try await send("Everybody", from: "192.0.2.7", port: 5353, to: "224.0.0.251", on: network)
            try await browser.line(with: "resolved", "Neighbour")
            try await browser.line(with: "resolved", "Everybody")
            #expect(!browser.printed.contains("Elsewhere"))
            #expect(!browser.printed.contains("Resolver"))
        }
    }
}
