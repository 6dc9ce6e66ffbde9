import MulticastDNS
import Testing

@Suite("A name that is wanted")
struct ProbingTests {
    private func wanting() throws -> TestedResponder {
        var responder = TestedResponder()
        responder.machine.publish(try Fixture.service(), as: .service(1), at: responder.now)
        return responder
    }

    private func probe(for name: String = "TV", _ records: [ResourceRecord]) throws -> Message {
        var message = Message.query([Question(try Fixture.instance(name), .any)])
        message.authorities = records
        return message
    }

    private func location(of name: String = "TV", port: UInt16) throws -> ResourceRecord {
        let host = try DomainName("tv", "local")
        return ResourceRecord(
            try Fixture.instance(name), .service(.init(port: port, host: host)), lifetime: 120, isUnique: false)
    }

    @Test func `is asked for three times, a quarter of a second apart, then announced three times`() throws {
        var responder = try wanting()
        responder.pass(.seconds(20))
        let times = responder.sent.map(\.after)
        #expect(responder.sent.map(\.dispatch.message.isProbe) == [true, true, true, false, false, false])
        #expect(times[0] <= .milliseconds(250))
        #expect(zip(times, times.dropFirst()).map { $1 - $0 } == [250, 250, 250, 1005, 2010].map { .milliseconds($0) })
        #expect(responder.events == [.established(.service(1))])
        #expect(responder.machine.deadline == nil)
    }

    @Test func `is asked for at once when an app begins, and by jitter a little later when a network has come up`() {
        let responder = TestedResponder()
        #expect(responder.machine.start(at: responder.now, isPrompted: false) == responder.now)
        let start = responder.machine.start(at: responder.now, isPrompted: true)
        #expect(start > responder.now && start <= responder.now + .milliseconds(250))
    }

    @Test func `is asked for with what shall stand there, and without marking it as ours`() throws {
        var responder = try wanting()
        responder.pass(.milliseconds(250))
        let probe = try #require(responder.sent.first?.dispatch.message)
        #expect(probe.questions == [Question(try Fixture.instance(), .any, wantsUnicast: true)])
        #expect(probe.authorities.map(\.type) == [.srv, .txt])
        #expect(probe.authorities.allSatisfy { !$0.isUnique })
    }

    @Test func `is announced as ours alone, and the lists as everybody's`() throws {
        var responder = try wanting()
        responder.pass(.seconds(1))
        let announcement = try #require(responder.sent.last?.dispatch.message)
        #expect(announcement.answers.filter(\.isUnique).map(\.type) == [.srv, .txt])
        #expect(announcement.answers.filter { !$0.isUnique }.map(\.type) == [.ptr, .ptr])
    }

    @Test func `is not answered for before it is ours`() throws {
        var responder = try wanting()
        responder.pass(.milliseconds(300))
        responder.sent = []
        responder.receive(.query([Question(try Fixture.instance(), .srv)]), from: try Fixture.address(2))
        responder.pass(.milliseconds(150))
        #expect(!responder.sent.contains { $0.dispatch.message.isResponse })
    }

    @Test func `is lost when another answers for it`() throws {
        var responder = try wanting()
        responder.pass(.milliseconds(300))
        responder.receive(.response([try location(port: 81)]), from: try Fixture.address(2))
        #expect(responder.events == [.nameTaken(.service(1))])
        responder.sent = []
        responder.pass(.seconds(5))
        #expect(responder.sent.isEmpty)
    }

    @Test func `is not lost to the same answer, to a goodbye, or to a resolver's port`() throws {
        var responder = try wanting()
        responder.pass(.milliseconds(300))
        responder.receive(.response([try location(port: 80)]), from: try Fixture.address(2))
        var gone = try location(port: 81)
        gone.lifetime = 0
        responder.receive(.response([gone]), from: try Fixture.address(2))
        responder.receive(.response([try location(port: 81)]), from: try Fixture.address(2, port: 9999))
        responder.pass(.seconds(5))
        #expect(responder.events == [.established(.service(1))])
    }

    @Test func `is left to another that asks at the same time with later records, for a second`() throws {
        var responder = try wanting()
        responder.pass(.milliseconds(300))
        let before = responder.sent.count
        responder.receive(try probe([try location(port: 60_000)]), from: try Fixture.address(2))
        responder.pass(.milliseconds(990))
        #expect(responder.sent.count == before)
        responder.pass(.seconds(3))
        #expect(responder.events == [.established(.service(1))])
        #expect(responder.sent.map(\.dispatch.message.isProbe).filter { $0 }.count == before + 3)
    }

    @Test(arguments: [false, true])
    func `goes to the later of two that begin together, whose answers the other sees`(isAnnouncementLost: Bool) throws {
        var (earlier, later) = (TestedResponder(), TestedResponder())
        let begin = earlier.now
        earlier.machine.publish(try Fixture.service(port: 80), as: .service(1), startingAt: begin, at: begin)
        later.machine.publish(
            try Fixture.service(port: 81), as: .service(1), startingAt: begin + .milliseconds(100), at: begin)
        while earlier.now < begin + .milliseconds(1500) {
            earlier.pass(.milliseconds(50))
            later.pass(.milliseconds(50))
            let (toLater, toEarlier) = (earlier.takeSent(), later.takeSent())
            for dispatch in toLater { later.receive(dispatch.message, from: try Fixture.address(1)) }
            for dispatch in toEarlier {
                if dispatch.message.isResponse, isAnnouncementLost, earlier.now < begin + .seconds(1) { continue }
                earlier.receive(dispatch.message, from: try Fixture.address(2))
            }
        }
        #expect(later.events == [.established(.service(1))])
        #expect(earlier.events == [.nameTaken(.service(1))])
    }

    @Test func `is kept against another that asks with earlier records, or with the same`() throws {
        var responder = try wanting()
        responder.pass(.milliseconds(300))
        let own = try Fixture.service().unique
        // They are compared in the order of their types, so the text comes first.
        responder.receive(try probe([own[1], try location(port: 79)]), from: try Fixture.address(2))
        responder.receive(try probe(own), from: try Fixture.address(3))
        responder.pass(.milliseconds(800))
        #expect(responder.events == [.established(.service(1))])
    }

    @Test func `is asked for anew when another claims it after all, and is ours while nobody answers`() throws {
        var responder = try TestedResponder.established()
        responder.receive(.response([try location(port: 81)]), from: try Fixture.address(2))
        #expect(responder.events.isEmpty)
        responder.pass(.seconds(1))
        #expect(responder.takeSent().filter(\.message.isProbe).count == 3)
        #expect(responder.events == [.established(.service(1))])
    }

    @Test func `waits five seconds a time when it was contested fifteen times in ten`() throws {
        var responder = TestedResponder()
        for number in 0..<15 {
            responder.machine.publish(try Fixture.service("TV \(number)"), as: .service(1), at: responder.now)
            responder.pass(.milliseconds(260))
            let theirs = ResourceRecord(
                try Fixture.instance("TV \(number)"), .text([[1, 97]]), lifetime: 9, isUnique: true)
            responder.receive(.response([theirs]), from: try Fixture.address(2))
        }
        #expect(responder.events.count == 15)
        responder.machine.publish(try Fixture.service("TV 15"), as: .service(1), at: responder.now)
        responder.sent = []
        responder.pass(.milliseconds(4900))
        #expect(responder.sent.isEmpty)
        responder.pass(.milliseconds(200))
        #expect(responder.sent.count == 1)
    }

    @Test func `is given up when another contests it three times in a minute, and not when it rarely does`() throws {
        var patient = try TestedResponder.established()
        var plagued = try TestedResponder.established()
        for count in 1...6 {
            patient.receive(.response([try location(port: 81)]), from: try Fixture.address(2))
            patient.pass(.seconds(31))
            #expect(!patient.events.contains(.nameTaken(.service(1))))
            guard count <= 3 else { continue }
            plagued.receive(.response([try location(port: 81)]), from: try Fixture.address(2))
            #expect(plagued.events.contains(.nameTaken(.service(1))) == (count == 3))
            plagued.pass(.seconds(1))
        }
    }

    /// The records of another host under a name.
    private func forged(_ name: String) throws -> Message {
        let location = RecordData.SRVRecord(port: 666, host: try DomainName("liar", "local"))
        return .response([
            ResourceRecord(try Fixture.instance(name), .service(location), lifetime: 120, isUnique: true)
        ])
    }

    @Test(arguments: [300, 700])
    func `is established within ten seconds beside another that follows it to each name`(pause: Int) throws {
        var responder = try wanting()
        var conflicts = NameConflictHistory()
        var names = ["TV"]
        let begin = responder.now
        while !responder.events.contains(.established(.service(1))) {
            responder.pass(.milliseconds(pause))
            responder.receive(try forged(names[names.count - 1]), from: try Fixture.address(66))
            guard responder.events.contains(.nameTaken(.service(1))) else { continue }
            responder.events = []
            names.append("TV (\(conflicts.add(at: responder.now) ? "drawn" : "\(names.count + 1)"))")
            responder.machine.publish(
                try Fixture.service(names[names.count - 1]), as: .service(1), defendedUntil: conflicts.defendedUntil,
                at: responder.now)
        }
        #expect(responder.now < begin + .seconds(10))
        #expect(names == ["TV", "TV (2)", "TV (3)", "TV (drawn)"])
    }

    @Test(arguments: [(300, true), (700, true), (900, false)])
    func `is established within fifteen seconds beside another that wins each tie and never answers`(
        pause: Int, isDrawn: Bool
    ) throws {
        var responder = try wanting()
        var conflicts = NameConflictHistory()
        var names = ["TV"]
        let end = responder.now + .seconds(15)
        while !responder.events.contains(.established(.service(1))), responder.now < end {
            let name = names[names.count - 1]
            responder.receive(
                try probe(for: name, [location(of: name, port: 60_000)]), from: try Fixture.address(66))
            if responder.events.contains(.nameTaken(.service(1))) {
                responder.events = []
                names.append("TV (\(conflicts.add(at: responder.now) ? "drawn" : "\(names.count + 1)"))")
                responder.machine.publish(
                    try Fixture.service(names[names.count - 1]), as: .service(1),
                    defendedUntil: conflicts.defendedUntil, at: responder.now)
            }
            responder.pass(.milliseconds(pause))
        }
        #expect(responder.events == [.established(.service(1))])
        #expect(names == (isDrawn ? ["TV", "TV (2)", "TV (3)", "TV (drawn)"] : ["TV"]))
    }

    @Test func `is announced again when another contests it that was drawn, and never left for ten minutes`() throws {
        var responder = TestedResponder()
        let end = responder.now + .seconds(600)
        responder.machine.publish(try Fixture.service(), as: .service(1), defendedUntil: end, at: responder.now)
        responder.pass(.milliseconds(300))
        // Not even to another that asks with later records.
        responder.receive(try probe([try location(port: 60_000)]), from: try Fixture.address(2))
        responder.pass(.seconds(20))
        #expect(responder.events == [.established(.service(1))])
        for _ in 0..<50 {
            responder.sent = []
            for _ in 0..<10 {
                responder.receive(try forged("TV"), from: try Fixture.address(66))
                responder.pass(.milliseconds(100))
            }
            responder.pass(.seconds(1))
            let announced = responder.takeSent().filter { $0.message.isResponse }
            #expect((1...2).contains(announced.count))
        }
        #expect(responder.events == [.established(.service(1))])
        responder.pass(end - responder.now)
        for _ in 0..<3 { responder.receive(try forged("TV"), from: try Fixture.address(66)) }
        #expect(responder.events.contains(.nameTaken(.service(1))), "then others are believed as ever")
    }

    @Test func `is drawn after three losses in a minute only`() {
        var conflicts = NameConflictHistory()
        let now = Fixture.noon
        let drawn = [0, 30, 61, 91, 100, 101].map { conflicts.add(at: now + .seconds($0)) }
        #expect(drawn == [false, false, false, false, true, false])
        #expect(conflicts.defendedUntil == nil)
    }

    @Test func `of a host is no other's when its address is ours on another interface`() throws {
        var responder = TestedResponder()
        responder.machine.ownAddresses = [[10, 0, 0, 1], [10, 9, 0, 1]]
        responder.machine.publish(try Fixture.host(), as: .host, at: responder.now)
        responder.pass(.milliseconds(300))
        let other = ResourceRecord(
            try DomainName("tv", "local"), .address([10, 9, 0, 1]), lifetime: 120, isUnique: true)
        responder.receive(.response([other]), from: try Fixture.address(1))
        #expect(responder.events.isEmpty)
        let foreign = ResourceRecord(
            try DomainName("tv", "local"), .address([10, 0, 0, 9]), lifetime: 120, isUnique: true)
        responder.receive(.response([foreign]), from: try Fixture.address(9))
        #expect(responder.events == [.nameTaken(.host)])
    }
}
