#if PostgreSQL
import Testing

@testable import CountersignPostgres

@Suite("The address of a database")
struct DatabaseAddressTests {
    @Test func `names the database and never the password`() throws {
        let address = try DatabaseAddress("postgres://anna:s3cret@db.example.com:6543/id?sslmode=require")
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped, address.redacting("no s3cret for anna")] {
            #expect(!text.contains("s3cret"))
        }
        #expect("\(address)" == "postgres://anna@db.example.com:6543/id")
        #expect(address.redacting("no s3cret for anna") == "no [redacted] for anna")
    }

    @Test func `keeps a password quiet that stands in the query`() throws {
        let address = try DatabaseAddress("postgres://db/id?user=anna&password=s3cret")
        #expect("\(address)" == "postgres://anna@db/id")
        #expect(address.redacting("s3cret") == "[redacted]")
    }

    @Test(arguments: [
        "mysql://anna:s3cret@db/id", "postgres://anna:s3/cret@db/id", "postgres://anna:s3cret@db:port/id",
        "postgres://anna:%zzs3cret@db/id", "postgres://anna:s3cret@[::1/id", "postgres://db/id?s3cret=1",
    ])
    func `says of a bad URL that it is bad, and repeats nothing of it`(url: String) {
        let failure = #expect(throws: (any Error).self) { _ = try PostgresStore.open(url) }
        #expect(failure.map { "\($0)".contains("s3") } == false)
    }
}
#endif
