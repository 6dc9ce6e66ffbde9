import Foundation
import Testing

@Suite("On a network of two hosts", .serialized, .enabled(if: Network.canBeMade, Comment(rawValue: Network.need)))
struct PeerTests {
    @Test func `Avahi sees what we advertise, where it is, and its goodbye`() async throws {
        try await Network.with { network in
            try await network.startAvahi(on: .b)
            let browser = try network.start("stdbuf -oL avahi-browse -rp _http._tcp", on: .b)
            let ours = try network.countersign("dns-sd advertise 'Our. Näme' _http._tcp 8080 path=/x flag", on: .a)
            try await ours.line(with: "'Our. Näme' is advertised.")
            let seen = try await browser.line(with: "=;eth0;IPv4;Our", ";8080;", "\"path=/x\"", "\"flag\"")
            #expect(seen.contains(#"Our\.\032N\195\164me"#))
            // Which address it shows of those that it has heard is up to Avahi, whatever it heard the name by.
            #expect(seen.contains(";10.78.0.1;8080;") || seen.contains(";fe80::1;8080;"), "\(seen)")
            try await browser.line(with: "=;eth0;IPv6;Our", ";8080;")
            #expect(try await ours.stop() == 0)
            try await browser.line(with: "-;eth0;IPv4;Our")
            try await browser.line(with: "-;eth0;IPv6;Our")
        }
    }

    @Test func `we see what Avahi advertises, where it is, and its goodbye`() async throws {
        try await Network.with { network in
            try await network.startAvahi(on: .b)
            let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .a)
            let theirs = try network.start("avahi-publish -s 'A. Näme' _http._tcp 8080 path=/x flag empty=", on: .b)
            try await browser.line(with: #""event":"found""#, #""name":"A. Näme""#)
            let seen = try await browser.line(with: #""event":"resolved""#, #""10.78.0.2""#, #""fe80::2""#)
            #expect(seen.contains(#""host":"\#(network.name)-b.local""#))
            #expect(seen.contains(#""port":8080,"txt":{"empty":"","flag":null,"path":"/x"}"#))
            // Threads of tests block other signals, and programs inherit that. Avahi says goodbye for a client that is
            // gone.
            try await theirs.stop(SIGKILL)
            try await browser.line(with: #""event":"removed""#, #""name":"A. Näme""#)
            #expect(try await browser.stop() == 0)
        }
    }

    @Test func `python-zeroconf sees what we advertise, where it is, and its goodbye`() async throws {
        try await Network.with { network in
            let browser = try network.python("browse.py", "_http._tcp.local.", on: .b)
            try await browser.line(with: "ready")
            let ours = try network.countersign("dns-sd advertise 'Our. Näme' _http._tcp 8080 path=/x flag", on: .a)
            try await browser.line(
                with: "found Our. Näme._http._tcp.local.", " 8080 10.78.0.1 fe80::1 path=/x flag=None")
            try await ours.stop()
            try await browser.line(with: "removed Our. Näme._http._tcp.local.")
        }
    }

    @Test func `we see what python-zeroconf advertises, what it changes, and its goodbye`() async throws {
        try await Network.with { network in
            let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .a)
            let theirs = try network.python("advertise.py", "Peer 10.78.0.2 120", on: .b)
            try await browser.line(with: "resolved", #""name":"Peer""#, #""10.78.0.2""#, #""flag":null,"state":"old""#)
            try await theirs.line(with: "ready")
            theirs.signal(SIGUSR1)
            try await browser.line(with: "resolved", #""name":"Peer""#, #""txt":{"state":"new"}"#)
            try await theirs.stop()
            try await browser.line(with: "removed", #""name":"Peer""#)
        }
    }

    @Test func `a name that Avahi has gets a number, and Avahi keeps its own`() async throws {
        try await Network.with { network in
            try await network.startAvahi(on: .b)
            let theirs = try network.start("avahi-publish -s Kitchen _http._tcp 1", on: .b)
            try await theirs.line(with: "Established")
            let ours = try network.countersign("dns-sd advertise Kitchen _http._tcp 2", on: .a)
            try await ours.line(with: "'Kitchen' is another's name; 'Kitchen (2)' is tried.")
            try await ours.line(with: "'Kitchen (2)' is advertised.")
            let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .a)
            try await browser.line(with: "resolved", #""name":"Kitchen","port":1"#)
            try await browser.line(with: "resolved", #""name":"Kitchen (2)","port":2"#)
            #expect(!theirs.printed.contains("collision"))
        }
    }

    @Test func `Avahi renames itself where the name is ours`() async throws {
        try await Network.with { network in
            try await network.startAvahi(on: .b)
            let ours = try network.countersign("dns-sd advertise Kitchen _http._tcp 2", on: .a)
            try await ours.line(with: "'Kitchen' is advertised.")
            let theirs = try network.start("avahi-publish -s Kitchen _http._tcp 1", on: .b)
            try await theirs.line(with: "Established under name 'Kitchen #2'")
            #expect(!ours.printed.contains("another's name"))
        }
    }

    @Test func `we work beside Avahi on the same host`() async throws {
        try await Network.with { network in
            try await network.startAvahi(on: .b)
            let theirs = try network.start("avahi-publish -s Theirs _http._tcp 1", on: .b)
            let ours = try network.countersign("dns-sd advertise Ours _http._tcp 2", on: .b)
            try await theirs.line(with: "Established")
            try await ours.line(with: "is advertised")
            for host in [Network.Host.a, .b] {
                let browser = try network.countersign("dns-sd browse _http._tcp --json", on: host)
                try await browser.line(with: "resolved", #""name":"Theirs","port":1"#)
                try await browser.line(with: "resolved", #""name":"Ours","port":2"#)
            }
            let avahi = try network.start("stdbuf -oL avahi-browse -rp _http._tcp", on: .b)
            try await avahi.line(with: "=;eth0;IPv4;Ours")
        }
    }

    @Test func `at 30 % loss we find and are found`() async throws {
        try await Network.with { network in
            try await network.lose(30, at: .a)
            let ours = try network.countersign("dns-sd advertise Ours _http._tcp 2", on: .a)
            try await ours.line(with: "is advertised")
            for _ in 0..<5 {
                let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .b)
                try await browser.line(with: "resolved", #""name":"Ours","port":2"#)
                try await browser.stop()
            }
        }
    }

    @Test func `a host that goes away is removed when what it said is over`() async throws {
        try await Network.with { network in
            let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .a)
            let theirs = try network.python("advertise.py", "Peer 10.78.0.2 10", on: .b)
            try await browser.line(with: "resolved", #""name":"Peer""#)
            try await theirs.line(with: "ready")
            try await network.unplug(.b)
            try await browser.line(with: "removed", #""name":"Peer""#)
        }
    }

    @Test func `what we found is removed when our own cable is out`() async throws {
        try await Network.with { network in
            let theirs = try network.python("advertise.py", "Peer 10.78.0.2 120", on: .b)
            let browser = try network.countersign("dns-sd browse _http._tcp --json", on: .a)
            try await browser.line(with: "resolved", #""name":"Peer""#)
            try await network.unplug(.a)
            try await browser.line(with: "removed", #""name":"Peer""#)
            try await theirs.stop()
        }
    }
}
