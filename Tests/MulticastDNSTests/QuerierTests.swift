import MulticastDNS
import NIOCore
import Testing

@Suite("A search on one link")
struct QuerierTests {
    private var machine = LinkQuerier(jitter: Fixture.jitter)
    private var now = Fixture.noon
    private let list = Fixture.type.domain

    private mutating func pass(_ span: Duration) -> [(after: Duration, message: Message)] {
        var sent: [(after: Duration, message: Message)] = []
        let end = now + span
        while let next = machine.deadline, next <= end {
            now = max(now, next)
            sent += machine.advance(at: now).map { (now - Fixture.noon, $0.message) }
        }
        now = end
        return sent
    }

    private mutating func receive(_ message: Message, port: Int = 5353, isEcho: Bool = false) throws {
        let source = try Fixture.address(2, port: port)
        machine.receive(ReceivedMessage(message, from: source, isEcho: isEcho), at: now)
    }

    /// An answer with everything about a service, as a responder gives it.
    private func answer(_ name: String = "TV", lifetime: UInt32 = 120, listed: UInt32 = 4500) throws -> Message {
        let (instance, host) = (try Fixture.instance(name), try DomainName("tv", "local"))
        var message = Message.response([ResourceRecord(list, .pointer(instance), lifetime: listed, isUnique: false)])
        message.additionals = [
            ResourceRecord(host, .address([10, 0, 0, 2]), lifetime: lifetime, isUnique: true),
            ResourceRecord(instance, .service(.init(port: 80, host: host)), lifetime: lifetime, isUnique: true),
            ResourceRecord(instance, .text([Array("a=b".utf8)]), lifetime: 4500, isUnique: true),
        ]
        return message
    }

    /// The announcement that a service is at another port now.
    private func moved(to port: UInt16) throws -> Message {
        let location = RecordData.SRVRecord(port: port, host: try DomainName("tv", "local"))
        return .response([
            ResourceRecord(try Fixture.instance(), .service(location), lifetime: 120, isUnique: true)
        ])
    }

    private var names: [String] { machine.knownInstances(of: Fixture.type).map(\.instance.name) }
    private var isResolved: Bool { machine.knownInstances(of: Fixture.type).contains { $0.details != nil } }

    @Test mutating func `asks at once, after one second, two, four, and at last every hour`() {
        machine.look(for: Fixture.type, at: now)
        let times = pass(.seconds(5 * 3600)).map(\.after)
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(times[0] == .zero)
        #expect(
            pauses.prefix(4) == [.milliseconds(1005), .milliseconds(2010), .milliseconds(4020), .milliseconds(8040)])
        #expect(pauses.last == .seconds(3600))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 >= min($0 * 2, .seconds(3600)) })
    }

    @Test mutating func `waits 20 to 120 milliseconds when a network has come up`() {
        machine.look(for: Fixture.type, isPrompted: true, at: now)
        #expect(pass(.milliseconds(19)).isEmpty)
        #expect(pass(.milliseconds(101)).count == 1)
    }

    @Test mutating func `asks for an answer of its own the first time only, and never beside another responder`() {
        machine.look(for: Fixture.type, at: now)
        #expect(pass(.seconds(4)).map { $0.message.questions[0].wantsUnicast } == [true, false, false])
        machine = LinkQuerier(jitter: Fixture.jitter, ownsPort: false)
        machine.look(for: Fixture.type, at: now)
        #expect(pass(.zero).map { $0.message.questions[0].wantsUnicast } == [false])
    }

    @Test mutating func `forgets in ten seconds what others asked for twice in vain, and asks nobody`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.seconds(20))
        try receive(try answer())
        try receive(.query([Question(list, .ptr)]))
        _ = pass(.seconds(3))
        try receive(.query([Question(list, .ptr)]))
        _ = pass(.milliseconds(9_900))
        #expect(names == ["TV"])
        #expect(pass(.milliseconds(200)).isEmpty && names.isEmpty)
    }

    @Test(arguments: [false, true])
    mutating func `keeps what others ask for and get, or know`(know: Bool) throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.seconds(20))
        try receive(try answer())
        var question = Message.query([Question(list, .ptr)])
        if know { question.answers = try answer().answers }
        for _ in 0..<3 {
            try receive(question)
            if !know { try receive(try answer()) }
            _ = pass(.seconds(3))
        }
        _ = pass(.seconds(20))
        #expect(names == ["TV"])
    }

    @Test mutating func `takes a question that comes by two ways for one, and none of a probe or of its own`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.seconds(20))
        try receive(try answer())
        let question = Message.query([Question(list, .ptr)])
        try receive(question)
        try receive(question)
        for _ in 0..<3 {
            _ = pass(.seconds(2))
            try receive(question, isEcho: true)
            var probe = Message.query([Question(try Fixture.instance("TV"), .any)])
            probe.authorities = try answer().additionals
            try receive(probe)
        }
        _ = pass(.seconds(20))
        #expect(names == ["TV"])
    }

    @Test mutating func `knows everything after one answer, and asks no more than for the list`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.zero)
        try receive(try answer())
        #expect(isResolved)
        let asked = pass(.seconds(60))
        #expect(!asked.isEmpty && asked.allSatisfy { $0.message.questions.map(\.type) == [.ptr] })
    }

    @Test mutating func `asks for what an answer left out`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.zero)
        var bare = try answer()
        bare.additionals = []
        try receive(bare)
        #expect(names == ["TV"])
        #expect(!isResolved)
        #expect(pass(.milliseconds(120)).flatMap(\.message.questions).map(\.type) == [.txt, .srv])
        var place = try answer()
        place.additionals.remove(at: 0)
        try receive(place)
        #expect(pass(.milliseconds(120)).flatMap(\.message.questions).map(\.type) == [.a, .aaaa])
        try receive(try answer())
        #expect(isResolved)
    }

    @Test mutating func `names what it knows, while more than half of its time is left`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.zero)
        try receive(try answer())
        let known = try #require(pass(.milliseconds(1100)).last?.message.answers)
        #expect(known.map(\.data) == [.pointer(try Fixture.instance())])
        #expect(known.allSatisfy { $0.lifetime <= 4500 && $0.lifetime > 4490 && !$0.isUnique })
        let late = pass(.seconds(2400)).map(\.message).filter { $0.questions.first?.type == .ptr }
        #expect(late.last?.answers.isEmpty == true)
    }

    @Test mutating func `asks again at 80, 85, 90 and 95 percent, then forgets who is silent`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.zero)
        try receive(try answer())
        let asked = pass(.seconds(121)).filter { $0.message.questions.contains { $0.type == .srv } }.map(\.after)
        #expect(asked.count == 4)
        for (after, percent) in zip(asked, [80.0, 85, 90, 95]) {
            #expect(after >= .seconds(1.2 * percent) && after <= .seconds(1.2 * (percent + 2)))
        }
        #expect(names.isEmpty)
    }

    @Test(arguments: [1, 2, 5, 10] as [UInt32], [false, true])
    mutating func `asks the same once a second at most, however short the lifetimes`(lifetime: UInt32, isAnswered: Bool)
        throws
    {
        machine.look(for: Fixture.type, at: now)
        try receive(try answer(lifetime: lifetime, listed: lifetime))
        var asked: [Question: [Duration]] = [:]
        for _ in 0..<400 {
            for (after, message) in pass(.milliseconds(50)) {
                for question in message.questions {
                    asked[Question(question.name, question.type), default: []].append(after)
                }
                if isAnswered { try receive(try answer(lifetime: lifetime, listed: lifetime)) }
            }
        }
        // A record that lives one second only has expired when it may be asked for again.
        if lifetime > 1 { #expect(names == (isAnswered ? ["TV"] : [])) }
        #expect(!asked.isEmpty)
        for times in asked.values {
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
        }
    }

    @Test mutating func `keeps who answers in time`() throws {
        machine.look(for: Fixture.type, at: now)
        for _ in 0..<5 {
            try receive(try answer())
            _ = pass(.seconds(100))
        }
        #expect(names == ["TV"])
    }

    @Test mutating func `forgets a service one second after its goodbye, unless it comes back`() throws {
        machine.look(for: Fixture.type, at: now)
        try receive(try answer())
        try receive(try answer(listed: 0))
        _ = pass(.milliseconds(900))
        #expect(names == ["TV"])
        _ = pass(.milliseconds(100))
        #expect(names.isEmpty)
        try receive(try answer())
        try receive(try answer(listed: 0))
        try receive(try answer())
        _ = pass(.seconds(2))
        #expect(names == ["TV"])
    }

    @Test mutating func `forgets what another record replaces after a second's grace`() throws {
        machine.look(for: Fixture.type, at: now)
        try receive(try answer())
        _ = pass(.seconds(5))
        let host = try DomainName("tv", "local")
        try receive(.response([ResourceRecord(host, .address([10, 0, 0, 7]), lifetime: 120, isUnique: true)]))
        #expect(machine.knownInstances(of: Fixture.type).first?.details?.addresses.count == 2)
        _ = pass(.seconds(1))
        #expect(machine.knownInstances(of: Fixture.type).first?.details?.addresses == [[10, 0, 0, 7]])
    }

    @Test mutating func `leaves a question to another that has just asked it and knows no more`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.milliseconds(500))
        try receive(.query([Question(list, .ptr)]))
        #expect(pass(.milliseconds(1900)).isEmpty)

        var more = Message.query([Question(list, .ptr)])
        more.answers = [ResourceRecord(list, .pointer(try Fixture.instance("X")), lifetime: 4500, isUnique: false)]
        try receive(more)
        #expect(pass(.milliseconds(200)).count == 1)
    }

    @Test mutating func `does not leave it to its own echo, or to who wants an answer alone or knows more`() throws {
        machine.look(for: Fixture.type, at: now)
        _ = pass(.milliseconds(500))
        try receive(.query([Question(list, .ptr)]), isEcho: true)
        try receive(.query([Question(list, .ptr, wantsUnicast: true)]))
        var part = Message.query([Question(list, .ptr)])
        part.isTruncated = true
        try receive(part)
        #expect(pass(.milliseconds(600)).count == 1)
    }

    @Test
    mutating func `believes no answer from another port, no list of other types, and no name with control characters`()
        throws
    {
        machine.look(for: Fixture.type, at: now)
        try receive(try answer(), port: 5354)
        #expect(names.isEmpty)
        for target in [
            try DomainName("TV", "_ipp", "_tcp", "local"), try DomainName("a", "TV", "_http", "_tcp", "local"),
            try Fixture.instance("a\u{1B}[2J"), list, try DomainName(labels: [[0xFF, 0xFE]]).below(list),
        ] {
            try receive(.response([ResourceRecord(list, .pointer(target), lifetime: 4500, isUnique: false)]))
        }
        #expect(names.isEmpty)
    }

    @Test mutating func `remembers only what belongs to its types, and not without end`() throws {
        machine.look(for: Fixture.type, at: now)
        for number in 0..<1100 { try receive(try answer("TV \(number)")) }
        #expect(names.count == 1000)
        machine.stopLooking(for: Fixture.type, at: now)
        #expect(names.isEmpty)
        #expect(machine.deadline == nil)
    }

    @Test mutating func `finds a service beside more than a thousand of another host, whoever comes first`() throws {
        machine.look(for: Fixture.type, at: now)
        for number in 0..<1100 { try receive(answer("Made up \(number)", lifetime: 4500)) }
        _ = pass(.milliseconds(10))
        let real = try answer("Real")
        machine.receive(ReceivedMessage(real, from: try Fixture.address(7)), at: now)
        for number in 1100..<1200 { try receive(answer("Made up \(number)", lifetime: 4500)) }
        _ = pass(.milliseconds(10))
        let instance = machine.knownInstances(of: Fixture.type).first { $0.instance.name == "Real" }
        #expect(instance?.details != nil)
        #expect(names.count == 1000)
    }

    /// An answer of a host that makes itself known under a name, with an address of its own.
    private func answer(_ name: String, of host: Int) throws -> ReceivedMessage {
        let (instance, domain) = (try Fixture.instance(name), try DomainName("host-\(host)", "local"))
        var message = Message.response([ResourceRecord(list, .pointer(instance), lifetime: 4500, isUnique: false)])
        let bytes: [UInt8] = [10, 1, UInt8(host / 250), UInt8(host % 250 + 1)]
        message.additionals = [
            ResourceRecord(domain, .address(bytes), lifetime: 120, isUnique: true),
            ResourceRecord(instance, .service(.init(port: 80, host: domain)), lifetime: 120, isUnique: true),
            ResourceRecord(instance, .text([[]]), lifetime: 4500, isUnique: true),
        ]
        let address = bytes.map(String.init).joined(separator: ".")
        return ReceivedMessage(message, from: try SocketAddress(ipAddress: address, port: 5353))
    }

    @Test mutating func `finds a service beside five hundred hosts that came first`() throws {
        machine.look(for: Fixture.type, at: now)
        for host in 0..<500 { machine.receive(try answer("Made up \(host)", of: host), at: now) }
        machine.receive(try answer("Real", of: 900), at: now)
        _ = pass(.milliseconds(10))
        let instances = machine.knownInstances(of: Fixture.type)
        #expect(instances.count == 501 && instances.allSatisfy { $0.details != nil })
    }

    @Test mutating func `keeps what is confirmed, and lets a newcomer in, beside more hosts than it has places`() throws
    {
        machine.look(for: Fixture.type, at: now)
        machine.receive(try answer("Confirmed", of: 5000), at: now)
        machine.confirm(ServiceInstance(name: "Confirmed", type: Fixture.type))
        for host in 0..<3000 {
            machine.receive(try answer("Made up \(host)", of: host), at: now + .seconds(host / 500))
        }
        now += .seconds(7)
        machine.receive(try answer("Real", of: 5001), at: now)
        _ = pass(.milliseconds(10))
        let found = machine.knownInstances(of: Fixture.type).filter {
            ["Confirmed", "Real"].contains($0.instance.name)
        }
        #expect(found.count == 2 && found.allSatisfy { $0.details != nil })
        #expect(names.count <= 1000)
    }

    @Test mutating func `takes the addresses from the host that has told where the service is`() throws {
        machine.look(for: Fixture.type, at: now)
        try receive(answer())
        let forged = ResourceRecord(
            try DomainName("tv", "local"), .address([10, 0, 0, 66]), lifetime: 120, isUnique: true)
        machine.receive(ReceivedMessage(.response([forged]), from: try Fixture.address(66)), at: now)
        _ = pass(.milliseconds(10))
        #expect(machine.knownInstances(of: Fixture.type).first?.details?.addresses == [[10, 0, 0, 2]])
    }

    @Test mutating func `follows a host with two addresses, in whatever order its packets come`() throws {
        let addresses = [try Fixture.address(2), try Fixture.address(3)]
        machine.look(for: Fixture.type, at: now)
        for address in addresses { machine.receive(ReceivedMessage(try answer(), from: address), at: now) }
        _ = pass(.milliseconds(100))
        let moved = try moved(to: 81)
        for address in addresses.reversed() { machine.receive(ReceivedMessage(moved, from: address), at: now) }
        _ = pass(.milliseconds(100))
        #expect(machine.knownInstances(of: Fixture.type).first?.details?.location.port == 81)
    }

    @Test mutating func `follows a host to another address within a second`() throws {
        var host = try TestedResponder.established()
        machine.look(for: Fixture.type, at: now)
        host.receive(.query([Question(list, .ptr)]), from: try Fixture.address(3))
        host.pass(.seconds(5))
        for dispatch in host.takeSent() {
            machine.receive(ReceivedMessage(dispatch.message, from: try Fixture.address(1)), at: now)
        }
        _ = pass(.seconds(5))
        #expect(machine.knownInstances(of: Fixture.type).first?.details?.addresses == [[10, 0, 0, 1]])
        let gone = host.machine.update(.host, to: try Fixture.host([[10, 0, 0, 7]]), at: host.now)
        host.pass(.milliseconds(10))
        for dispatch in gone + host.takeSent() {
            machine.receive(ReceivedMessage(dispatch.message, from: try Fixture.address(7)), at: now)
        }
        _ = pass(.seconds(1))
        #expect(machine.knownInstances(of: Fixture.type).first?.details?.addresses == [[10, 0, 0, 7]])
    }

    @Test mutating func `keeps what was resolved when another host says otherwise, and follows its owner`() throws {
        machine.look(for: Fixture.type, at: now)
        try receive(answer())
        _ = pass(.seconds(5))
        for _ in 0..<5 {
            // It repeats what is true, too, and does not become its owner.
            machine.receive(ReceivedMessage(try answer(), from: try Fixture.address(66)), at: now)
            machine.receive(ReceivedMessage(try moved(to: 666), from: try Fixture.address(66)), at: now)
            _ = pass(.seconds(2))
            #expect(machine.knownInstances(of: Fixture.type).first?.details?.location.port == 80)
        }
        try receive(moved(to: 81))
        _ = pass(.seconds(2))
        #expect(machine.knownInstances(of: Fixture.type).first?.details?.location.port == 81)
    }
}
