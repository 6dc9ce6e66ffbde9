import MulticastDNS
import Testing

@Suite("A responder that is asked")
struct AnsweringTests {
    private let list = Fixture.type.domain

    private func asked(
        _ question: Question,
        knowing known: [ResourceRecord] = [],
        waiting: Duration = .milliseconds(130)
    ) throws -> [OutgoingMessage] {
        var responder = try TestedResponder.established()
        var message = Message.query([question])
        message.answers = known
        responder.receive(message, from: try Fixture.address(2))
        responder.pass(waiting)
        return responder.takeSent()
    }

    private func listed(lifetime: UInt32) throws -> ResourceRecord {
        ResourceRecord(list, .pointer(try Fixture.instance()), lifetime: lifetime, isUnique: false)
    }

    @Test func `answers a list after 20 to 120 milliseconds, with all that is asked next`() throws {
        #expect(try asked(Question(list, .ptr), waiting: .milliseconds(19)).isEmpty)
        let answer = try #require(try asked(Question(list, .ptr), waiting: .milliseconds(120)).first)
        #expect(answer.recipient == .everyone)
        #expect(answer.message.answers == [try listed(lifetime: 4500)])
        #expect(answer.message.additionals.map(\.type) == [.srv, .txt, .a, .nsec])
        #expect(answer.message.isAuthoritative)
        #expect(answer.message.questions.isEmpty)
    }

    @Test func `answers for what is its own at once`() throws {
        let answers = try asked(Question(try Fixture.instance(), .srv), waiting: .zero)
        #expect(answers.map(\.message.answers).map { $0.map(\.type) } == [[.srv]])
    }

    @Test func `says that its names have no other types`() throws {
        let answers = try asked(Question(try DomainName("tv", "local"), .aaaa))
        let denial = try #require(answers.first?.message.answers.first)
        #expect(denial.data == .denial(next: try DomainName("tv", "local"), types: [.a]))
        #expect(denial.isUnique)
        let instance = try asked(Question(try Fixture.instance(), .a))
        #expect(
            instance.first?.message.answers.first?.data == .denial(next: try Fixture.instance(), types: [.srv, .txt]))
    }

    @Test func `is silent about names of others, and about other classes`() throws {
        #expect(try asked(Question(try DomainName("other", "local"), .a)).isEmpty)
        var question = Question(list, .ptr)
        question.recordClass = RecordClass(rawValue: 3)
        #expect(try asked(question).isEmpty)
        // Neither does it deny what its names have in another class.
        question = Question(try DomainName("tv", "local"), .aaaa)
        question.recordClass = RecordClass(rawValue: 3)
        #expect(try asked(question).isEmpty)
        question.recordClass = .any
        #expect(try asked(question).count == 1)
    }

    @Test func `tells its types to who asks for all`() throws {
        let answers = try asked(Question(.serviceTypes, .ptr))
        #expect(answers.first?.message.answers.map(\.data) == [.pointer(list)])
    }

    @Test func `answers for a subtype, and for any type of record`() throws {
        let advertised = ServiceAdvertisement(name: "TV", type: try ServiceType("_a._sub._http._tcp"), port: 80)
        var responder = try TestedResponder.established(
            .service(advertised, named: "TV", at: try DomainName("tv", "local")))
        responder.receive(
            .query([Question(try DomainName("_a", "_sub", "_http", "_tcp", "local"), .any)]),
            from: try Fixture.address(2)
        )
        responder.pass(.milliseconds(120))
        #expect(responder.takeSent().first?.message.answers.map(\.data) == [.pointer(try Fixture.instance())])
    }

    @Test(arguments: [(4500, 0), (2250, 0), (2249, 1)] as [(UInt32, Int)])
    func `leaves out what the asker knows for at least half of its time`(left: UInt32, answers: Int) throws {
        #expect(try asked(Question(list, .ptr), knowing: [try listed(lifetime: left)]).count == answers)
    }

    @Test func `waits for the rest of what the asker knows`() throws {
        var responder = try TestedResponder.established()
        var first = Message.query([Question(list, .ptr)])
        first.isTruncated = true
        responder.receive(first, from: try Fixture.address(2))
        responder.pass(.milliseconds(300))
        var second = Message.query()
        second.answers = [try listed(lifetime: 4500)]
        responder.receive(second, from: try Fixture.address(2))
        responder.pass(.seconds(1))
        #expect(responder.takeSent().isEmpty)

        responder.receive(first, from: try Fixture.address(2))
        responder.pass(.milliseconds(399))
        #expect(responder.takeSent().isEmpty)
        responder.receive(second, from: try Fixture.address(3))
        responder.pass(.milliseconds(102))
        #expect(responder.takeSent().count == 1)
    }

    @Test func `answers a probe at once, although it waits for the rest of what the same asker knows`() throws {
        var responder = try TestedResponder.established()
        var first = Message.query([Question(list, .ptr)])
        first.isTruncated = true
        responder.receive(first, from: try Fixture.address(2))
        responder.pass(.milliseconds(100))
        var probe = Message.query([Question(try Fixture.instance(), .any)])
        probe.authorities = [ResourceRecord(try Fixture.instance(), .text([[]]), lifetime: 9, isUnique: false)]
        responder.receive(probe, from: try Fixture.address(2))
        responder.pass(.zero)
        #expect(responder.takeSent().flatMap(\.message.answers).map(\.type) == [.srv, .txt])
        responder.pass(.milliseconds(400))
        #expect(responder.takeSent().flatMap(\.message.answers) == [try listed(lifetime: 4500)])
    }

    @Test func `waits a second at most for the rest of what an asker knows`() throws {
        var responder = try TestedResponder.established()
        let begin = responder.now - Fixture.noon
        var part = Message.query([Question(list, .ptr)])
        part.isTruncated = true
        for _ in 0..<4 {
            responder.receive(part, from: try Fixture.address(2))
            responder.pass(.milliseconds(300))
        }
        #expect(responder.sent.map(\.after) == [begin + .seconds(1)])
    }

    @Test func `sends a record to everybody once a second at most`() throws {
        var responder = try TestedResponder.established()
        for _ in 0..<5 {
            responder.receive(.query([Question(try Fixture.instance(), .srv)]), from: try Fixture.address(2))
            responder.pass(.milliseconds(150))
        }
        #expect(responder.sent.count == 1)
        responder.pass(.seconds(2))
        #expect(responder.sent.count == 2)
        #expect(responder.sent[1].after - responder.sent[0].after >= .seconds(1))
    }

    @Test func `defends a name at once, against who asks for it as his own`() throws {
        var responder = try TestedResponder.established()
        responder.receive(.query([Question(try Fixture.instance(), .srv)]), from: try Fixture.address(2))
        responder.pass(.milliseconds(260))
        responder.sent = []
        var probe = Message.query([Question(try Fixture.instance(), .any, wantsUnicast: true)])
        probe.authorities = [ResourceRecord(try Fixture.instance(), .text([[]]), lifetime: 9, isUnique: false)]
        responder.receive(probe, from: try Fixture.address(2))
        responder.pass(.zero)
        let sent = responder.takeSent()
        #expect(Set(sent.map(\.recipient)) == [.everyone, .one(try Fixture.address(2))])
        #expect(sent.allSatisfy { $0.message.answers.contains { $0.type == .srv } })
    }

    @Test func `gathers answers to several askers into one message`() throws {
        var responder = try TestedResponder.established()
        responder.receive(.query([Question(list, .ptr)]), from: try Fixture.address(2))
        responder.pass(.milliseconds(10))
        responder.receive(.query([Question(.serviceTypes, .ptr)]), from: try Fixture.address(3))
        responder.receive(.query([Question(list, .ptr)]), from: try Fixture.address(4))
        responder.pass(.milliseconds(500))
        #expect(responder.takeSent().flatMap(\.message.answers).filter { $0.name == list }.count == 1)
    }

    @Test func `answers the asker alone when it wishes so, and everybody when they have not heard it for long`() throws
    {
        var responder = try TestedResponder.established()
        let question = Message.query([Question(try Fixture.instance(), .srv, wantsUnicast: true)])
        // A service's place holds for 120 seconds; ten minutes ago it was sent last.
        responder.receive(question, from: try Fixture.address(2))
        responder.pass(.milliseconds(120))
        #expect(responder.takeSent().map(\.recipient) == [.everyone])
        responder.pass(.seconds(29))
        responder.receive(question, from: try Fixture.address(2))
        responder.pass(.milliseconds(120))
        #expect(responder.takeSent().map(\.recipient) == [.one(try Fixture.address(2))])
    }

    @Test func `answers a plain resolver as one: its number, its question, short lifetimes, no new bits`() throws {
        var responder = try TestedResponder.established()
        var question = Message.query([Question(try Fixture.instance(), .srv, wantsUnicast: true)])
        question.identifier = 4711
        responder.receive(question, from: try Fixture.address(2, port: 40_000))
        responder.pass(.milliseconds(120))
        let answer = try #require(responder.takeSent().first)
        #expect(answer.recipient == .one(try Fixture.address(2, port: 40_000)))
        #expect(answer.message.identifier == 4711)
        #expect(answer.message.questions == [Question(try Fixture.instance(), .srv)])
        #expect(answer.message.answers.contains { $0.type == .srv })
        let records = answer.message.answers + answer.message.additionals
        #expect(records.allSatisfy { $0.lifetime <= 10 && !$0.isUnique })
        let read = try Message(parsing: answer.packets[0])
        #expect(read == answer.message)
    }

    @Test func `does not say again what another has just said to everybody`() throws {
        var responder = try TestedResponder.established()
        responder.receive(.query([Question(list, .ptr)]), from: try Fixture.address(2))
        responder.receive(.response([try listed(lifetime: 4500)]), from: try Fixture.address(3))
        responder.pass(.milliseconds(300))
        #expect(responder.takeSent().isEmpty)
    }

    @Test func `says again what another lets everybody forget too soon`() throws {
        var responder = try TestedResponder.established()
        responder.receive(.response([try listed(lifetime: 0)]), from: try Fixture.address(3))
        responder.pass(.milliseconds(120))
        #expect(responder.takeSent().flatMap(\.message.answers) == [try listed(lifetime: 4500)])
    }

    @Test func `says goodbye to what it withdraws, and to a list when nobody else here stands in it`() throws {
        var responder = try TestedResponder.established()
        responder.machine.publish(try Fixture.service("Radio"), as: .service(2), at: responder.now)
        responder.pass(.seconds(5))
        let first = responder.machine.withdraw(.service(2)).flatMap(\.message.answers)
        #expect(first.allSatisfy { $0.lifetime == 0 })
        #expect(first.map(\.type) == [.srv, .txt, .ptr])
        let second = responder.machine.withdraw(.service(1)).flatMap(\.message.answers)
        #expect(second.map(\.type) == [.srv, .txt, .ptr, .ptr])
        #expect(responder.machine.withdraw(.service(1)).isEmpty)
    }

    @Test func `says no goodbye to a name that was not its own yet`() throws {
        var responder = TestedResponder()
        responder.machine.publish(try Fixture.service(), as: .service(1), at: responder.now)
        responder.pass(.milliseconds(400))
        #expect(responder.machine.withdraw(.service(1)).isEmpty)
    }

    @Test func `announces addresses that came, and says goodbye to a kind that went`() throws {
        var responder = try TestedResponder.established()
        let six = [UInt8](repeating: 9, count: 16)
        _ = responder.machine.update(.host, to: try Fixture.host([six]), at: responder.now)
        responder.pass(.milliseconds(1))
        #expect(responder.takeSent().flatMap(\.message.answers).map(\.data) == [.address(six)])
        let gone = responder.machine.update(.host, to: try Fixture.host([[10, 0, 0, 3]]), at: responder.now)
        #expect(gone.flatMap(\.message.answers).map(\.lifetime) == [0])
    }

    @Test func `says goodbye to an address that another replaces, and removes none that stays`() throws {
        var responder = try TestedResponder.established()
        let (old, new, staying): ([UInt8], [UInt8], [UInt8]) = ([10, 0, 0, 1], [10, 0, 0, 7], [10, 0, 0, 8])
        _ = responder.machine.update(.host, to: try Fixture.host([old, staying]), at: responder.now)
        responder.pass(.seconds(5))
        responder.sent = []
        let gone = responder.machine.update(.host, to: try Fixture.host([staying, new]), at: responder.now)
            .flatMap(\.message.answers)
        #expect(gone.map(\.data) == [.address(old)])
        #expect(gone.allSatisfy { $0.lifetime == 0 && !$0.isUnique })
        responder.pass(.zero)
        #expect(responder.takeSent().flatMap(\.message.answers).map(\.data) == [.address(staying), .address(new)])
    }

    @Test func `takes no notice of messages of other kinds`() throws {
        var responder = try TestedResponder.established()
        var message = Message.query([Question(list, .ptr)])
        message.operation = 4
        responder.receive(message, from: try Fixture.address(2))
        message.operation = 0
        message.failure = 3
        responder.receive(message, from: try Fixture.address(2))
        responder.pass(.seconds(1))
        #expect(responder.takeSent().isEmpty)
    }
}
