import Countersign
import MulticastDNS
import NIOCore

extension Parser {
    /// Packets that any device on the local network may send.
    static let discovery: [Parser] = [
        Parser(
            "dns-message",
            bytes: { bytes in
                guard let message = try? Message(parsing: bytes) else { return }
                let packets = message.packets()
                let read = packets.compactMap { try? Message(parsing: $0) }
                expect(read.count == packets.count, "what is written can be read")
                expect(packets.allSatisfy { $0.count <= Message.largestPacket }, "and fits a packet")
                if packets.count == 1 { expect(read[0] == message, "one packet holds the whole message") }
                expect(read.flatMap(\.questions) == message.questions, "no question is lost")
            }),
        Parser(
            "dns-link",
            bytes: { bytes in
                guard let link = FuzzedLink() else { return }
                link.take(bytes)
            }),
    ]
}

/// A link with one advertised service and one search, which receives packets for half a minute.
private struct FuzzedLink {
    private let start = ContinuousClock.now
    private let responder: LinkResponder
    private let querier: LinkQuerier
    private let source: SocketAddress
    private let resolver: SocketAddress
    private let other: ServiceType

    init?() {
        let jitter = Jitter(RandomSource { [UInt8](repeating: 77, count: $0) })
        guard let type = try? ServiceType("_http._tcp"), let other = try? ServiceType("_ipp._tcp"),
            let host = try? DomainName("tv", "local"),
            let service = try? Publication.service(
                ServiceAdvertisement(type: type, port: 80), named: "TV", at: host),
            let source = try? SocketAddress(ipAddress: "10.0.0.2", port: MulticastPort.number),
            let resolver = try? SocketAddress(ipAddress: "10.0.0.2", port: 40_000)
        else { return nil }
        var responder = LinkResponder(jitter: jitter)
        responder.publish(.host(host, at: [[10, 0, 0, 1]]), as: .host, startingAt: start, at: start)
        responder.publish(service, as: .service(1), startingAt: start, at: start)
        for step in 0..<8 { _ = responder.advance(at: start + .milliseconds(250 * step)) }
        var querier = LinkQuerier(jitter: jitter)
        querier.look(for: type, at: start)
        self.other = other
        (self.responder, self.querier, self.source, self.resolver) = (responder, querier, source, resolver)
    }

    /// Takes the packet twice, from another responder and from a plain resolver.
    func take(_ bytes: [UInt8]) {
        guard let message = try? Message(parsing: bytes) else { return }
        var (responder, querier) = (responder, querier)
        var now = start + .seconds(600)
        for sender in [source, resolver] {
            let reception = ReceivedMessage(message, from: sender, isMulticast: sender == source)
            _ = responder.receive(reception, at: now)
            querier.receive(reception, at: now)
        }
        for _ in 0..<30 {
            now += .seconds(1)
            let sent = responder.advance(at: now).dispatches + querier.advance(at: now)
            for packet in sent.flatMap(\.packets) {
                expect((try? Message(parsing: packet)) != nil, "what is sent can be read")
            }
        }
        expect(querier.knownInstances(of: other).isEmpty, "nothing is found without a search for it")
    }
}
