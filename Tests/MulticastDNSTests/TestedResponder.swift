import MulticastDNS
import CountersignTesting
import NIOCore

/// The values that tests of the machines share: time that a test sets, addresses, and a service.
enum Fixture {
    static let noon = ManualClock().instant
    /// Each machine has its own, so that tests beside do not change it.
    static var jitter: Jitter { Jitter(SeededRandom(seed: 5).source) }
    static let type = ServiceType(name: "_http", transport: .tcp)

    static func address(_ last: Int, port: Int = 5353) throws -> SocketAddress {
        try SocketAddress(ipAddress: "10.0.0.\(last)", port: port)
    }

    /// The publication of a service, on a host that only its link knows.
    static func service(_ name: String = "TV", port: UInt16 = 80) throws -> Publication {
        try .service(
            ServiceAdvertisement(name: name, type: type, port: port), named: name, at: try DomainName("tv", "local"))
    }

    static func host(_ addresses: [[UInt8]] = [[10, 0, 0, 1]]) throws -> Publication {
        .host(try DomainName("tv", "local"), at: addresses)
    }

    static func instance(_ name: String = "TV") throws -> DomainName {
        try DomainName(name, "_http", "_tcp", "local")
    }
}

/// A responder with its clock, and what it sent so far.
struct TestedResponder {
    var machine = LinkResponder(jitter: Fixture.jitter)
    var now = Fixture.noon
    var sent: [(after: Duration, dispatch: OutgoingMessage)] = []
    var events: [LinkResponder.Event] = []

    /// Lets time pass, step by step from one deadline to the next.
    mutating func pass(_ span: Duration) {
        let end = now + span
        while let next = machine.deadline, next <= end {
            now = max(now, next)
            let done = machine.advance(at: now)
            sent += done.dispatches.map { (now - Fixture.noon, $0) }
            events += done.events
        }
        now = end
    }

    mutating func receive(
        _ message: Message, from source: SocketAddress, isMulticast: Bool = true, isEcho: Bool = false
    ) {
        events += machine.receive(
            ReceivedMessage(message, from: source, isMulticast: isMulticast, isEcho: isEcho), at: now)
    }

    /// Takes the messages that were sent to everybody since the last call.
    mutating func takeSent() -> [OutgoingMessage] {
        defer { sent = [] }
        return sent.map(\.dispatch)
    }

    /// One whose host and service are established, and have not been heard of for ten minutes.
    static func established(_ service: Publication? = nil) throws -> TestedResponder {
        var responder = TestedResponder()
        let start = responder.machine.start(at: responder.now)
        responder.machine.publish(try Fixture.host(), as: .host, startingAt: start, at: responder.now)
        responder.machine.publish(
            try service ?? Fixture.service(), as: .service(1), startingAt: start, at: responder.now)
        responder.pass(.seconds(600))
        responder.sent = []
        responder.events = []
        return responder
    }
}
