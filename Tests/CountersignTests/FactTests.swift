import Countersign
import Foundation
import Testing

@Suite("A fact")
struct FactTests {
    @Test func `says where it comes from`() {
        #expect(Fact.verified("tv").provenance == .verified)
        #expect(Fact.observed("192.0.2.1").provenance == .observed)
        #expect(Fact.asserted("Living room").provenance == .asserted)
        #expect(Fact.asserted("Living room").value == "Living room")
    }

    @Test func `differs from the same value of another origin`() {
        #expect(Fact.verified("tv") != Fact.asserted("tv"))
        #expect(Fact.verified("tv") == Fact("tv", .verified))
        #expect(Set([Fact.verified("tv"), .observed("tv"), .asserted("tv")]).count == 3)
    }

    @Test(arguments: Provenance.allCases)
    func `keeps its provenance in a store`(provenance: Provenance) throws {
        let fact = Fact(ClientID("tv"), provenance)
        #expect(try JSONDecoder().decode(Fact<ClientID>.self, from: JSONEncoder().encode(fact)) == fact)
    }

    @Test(arguments: [
        #"{"value":"tv"}"#, #"{"value":"tv","provenance":"proved"}"#, #"{"value":"tv","provenance":null}"#,
        #"{"provenance":"verified"}"#, #""tv""#,
    ])
    func `is not read back without one`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Fact<ClientID>.self, from: Data(json.utf8))
        }
    }
}
