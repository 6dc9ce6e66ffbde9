import Foundation
import Testing

@Suite(
    "On a network with a hostile host", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Network.canBeMade, Comment(rawValue: Network.need)))
struct HostileNetworkTests {
    @Test func `a service is found although its name is contested each second, whatever it is`() async throws {
        try await Network.with { network in
            let forger = try network.python("forge.py", "10.78.0.2", on: .b)
            try await forger.line(with: "ready")
            let ours = try network.countersign("dns-sd advertise Kitchen _http._tcp 2", on: .a)
            let told = try await ours.line(with: "Each name is contested; 'Kitchen (")
            let name = told.split(separator: "'")[1]
            try await ours.line(with: "'\(name)' is advertised.")
            for _ in 0..<3 {
                let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .b)
                try await browser.line(with: "resolved", #""name":"\#(name)","port":2,"#)
                try await browser.stop()
            }
            #expect(!ours.printed.contains("'\(name)' is another's name"))
            try await forger.stop(SIGKILL)
        }
    }

    @Test(arguments: [1, 50])
    func `a service is found beside ten thousand hostile packets a second`(hosts: Int) async throws {
        try await Network.with { network in
            let addresses = (100..<(100 + hosts)).map { "10.78.0.\($0)" }
            for address in addresses { try await network.run("ip address add \(address)/24 dev eth0", on: .b) }
            let ours = try network.countersign("dns-sd advertise Real _http._tcp 2", on: .b)
            try await ours.line(with: "'Real' is advertised.")
            let flood = try network.python("flood.py", "10000 60 \(addresses.joined(separator: " "))", on: .b)
            try await flood.line(with: "ready")
            let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .a)
            try await browser.line(with: #""event":"resolved""#, #""name":"Real","port":2,"#)
            try await browser.stop()
            try await flood.stop(SIGKILL)
        }
    }
}
