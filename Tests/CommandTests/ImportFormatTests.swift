import Foundation
import Testing

@testable import CountersignCommand

@Suite("The form of an imported file")
struct ImportFormatTests {
    @Test(arguments: [
        ("username\nanna", ImportFormat.csv), ("", .csv), ("# people\nusername", .csv),
        (#"{"username":"anna"}"#, .jsonLines), ("{\"username\":\n{\"username\":\"ben\"}", .jsonLines),
        (#"{"username":"users","name":"realm"}"#, .jsonLines), (#"{"username":"#, .jsonLines),
        (#"{"realm":"home","users":[]}"#, .keycloak), (#"{"users":[{"username":"anna"}]}"#, .keycloak),
        ("{\n  \"id\" : \"home\",\n  \"realm\"", .keycloak),
        (#"[{"username":"anna","emailVerified":true}]"#, .keycloak),
        (#"[{"username":"anna","scope":["openid"]}]"#, .glewlwyd), ("[", .glewlwyd),
        ("dn: uid=anna,dc=example", .ldif), ("\n# people\nversion: 1\n", .ldif), ("DN:: dWlkPWFubmE=", .ldif),
    ])
    func `is the one that its beginning shows`(text: String, format: ImportFormat) {
        #expect(ImportFormat(of: Array(text.utf8)) == format)
    }

    @Test func `is a realm for a first line that is longer than one person`() {
        let line = #"{"id":"\#(String(repeating: "x", count: 70_000))""#
        #expect(ImportFormat(of: Array(line.utf8)) == .keycloak)
    }

    @Test func `is the one that is named`() throws {
        let data = Data("username\nanna".utf8)
        #expect(try ImportFile(of: data, called: "It", as: .ldif).format == .ldif)
        #expect(throws: CommandError.self) { try ImportFile(of: data, called: "It", as: .keycloak) }
    }
}
