import Countersign
import Foundation
import Testing

@Suite("A grant")
struct GrantTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `is stored and read back whole`() throws {
        let grant = Sample.grant(approved: noon + 0.5)
        #expect(try JSONDecoder().decode(Grant.self, from: JSONEncoder().encode(grant)) == grant)
    }

    @Test func `is stored under its plain names`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(Sample.grant(approved: noon)), as: UTF8.self)
        #expect(json.contains(#""id":"a-grant""#))
        #expect(json.contains(#""subject":"anna""#))
        #expect(json.contains(#""client":"tv""#))
        #expect(json.contains(#""words":["openid"]"#))
    }

    @Test(arguments: ["id", "subject", "client", "scope", "evidence", "approved"])
    func `is not read back when a part is missing`(part: String) throws {
        let data = try JSONEncoder().encode(Sample.grant(approved: noon))
        var fields = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(fields.removeValue(forKey: part) != nil)
        let broken = try JSONSerialization.data(withJSONObject: fields)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Grant.self, from: broken) }
    }

    @Test func `can be undone for less than a minute`() {
        let grant = Sample.grant(approved: noon)
        #expect(SignInExchange.canUndo(grant, at: noon))
        #expect(SignInExchange.canUndo(grant, at: noon + 59.999))
        #expect(!SignInExchange.canUndo(grant, at: noon + 60))
    }
}
