import Countersign
import Testing

@testable import CountersignServer

@Suite("The memory of rows")
struct RowMemoryTests {
    private typealias Rows = RememberedRows

    @Test func `never holds more than twice its sizes`() {
        var memory = RowMemory(.init(clients: 4, people: 4, accessTokens: 4, exchanges: 4, forgettings: 4))
        for number in 0..<100 {
            memory.remember(.client(Rows.client("\(number)")), asOf: memory.moment)
            memory.remember(.person(Rows.person("\(number)")), asOf: memory.moment)
            memory.remember(.accessToken(Rows.token("\(number)")), asOf: memory.moment)
            memory.remember(.exchange(Rows.exchange("\(number)")), asOf: memory.moment)
            #expect(memory.count <= 4 * 8)
        }
        #expect(memory.client(ClientID("99")) != nil)
        #expect(memory.client(ClientID("0")) == nil)
    }

    @Test func `keeps what is in use`() {
        var memory = RowMemory(.init(clients: 4))
        memory.remember(.client(Rows.client("busy")), asOf: 0)
        for number in 0..<100 {
            memory.remember(.client(Rows.client("\(number)")), asOf: 0)
            #expect(memory.client(ClientID("busy")) != nil)
        }
    }

    @Test func `keeps nothing out of reads that began before what it knows`() {
        var memory = RowMemory(.init(forgettings: 2))
        for number in 1...10 { memory.hear([.person(Subject("\(number)"))]) }
        memory.remember(.client(Rows.client("tv")), asOf: 1)
        #expect(memory.client(ClientID("tv")) == nil)
        memory.remember(.client(Rows.client("tv")), asOf: memory.moment)
        #expect(memory.client(ClientID("tv")) != nil)
    }

    @Test func `doubts a token when it no longer knows which grants ended`() {
        var memory = RowMemory(.init(forgettings: 2))
        memory.remember(.accessToken(Rows.token("token", from: "grant")), asOf: memory.moment)
        memory.hear([.tokensOfGrant(Grant.ID("another"))])
        #expect(memory.accessToken(SecretDigest(of: "token")) != nil)
        for number in 1...10 { memory.hear([.tokensOfGrant(Grant.ID("\(number)"))]) }
        #expect(memory.accessToken(SecretDigest(of: "token")) == nil)
    }

    @Test func `finds a domain by its name and by its present credential only`() {
        var memory = RowMemory(.init())
        var domain = Rows.domain("sp.example.com", credential: "old")
        memory.remember(.domain(domain), asOf: memory.moment)
        #expect(memory.domain(SecretDigest(of: "old")) == domain)
        memory.hear([.domain(domain.name)])
        #expect(memory.domain(domain.name) == nil)
        #expect(memory.domain(SecretDigest(of: "old")) == nil)
        memory.remember(.domain(domain), asOf: memory.moment - 1)
        #expect(memory.domain(domain.name) == nil)

        domain.credential = SecretDigest(of: "new")
        memory.remember(.domain(domain), asOf: memory.moment)
        #expect(memory.domain(domain.name) == domain)
        #expect(memory.domain(SecretDigest(of: "new")) == domain)
        #expect(memory.domain(SecretDigest(of: "old")) == nil)
    }

    @Test func `tells what was forgotten since when`() {
        var forgotten = Forgettings<String>(capacity: 10)
        forgotten.note("a", at: 5)
        #expect(forgotten.has("a", since: 4))
        #expect(!forgotten.has("a", since: 5))
        #expect(!forgotten.has("b", since: 0))
        forgotten.noteAll(at: 7)
        #expect(forgotten.has("b", since: 6))
        #expect(!forgotten.has("b", since: 7))
    }
}
