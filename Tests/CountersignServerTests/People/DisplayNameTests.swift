import Countersign
import Foundation
import Testing

@testable import CountersignServer

@Suite("The name that others see")
struct DisplayNameTests {
    @Test(arguments: ["Anna Ek", "Ö", String(repeating: "a", count: 1024)])
    func `is one line of at most 1,024 bytes, without white space around it`(name: String) {
        #expect(DisplayName(parsing: " \(name)\n")?.text == name)
    }

    @Test(arguments: [
        "", "  ", "two\nlines", "back\u{202E}wards", String(repeating: "a", count: 1025),
        String(repeating: "é", count: 513),
    ])
    func `is nothing else`(typed: String) {
        #expect(DisplayName(parsing: typed) == nil)
        #expect(throws: PersonDraftError.badName) { try PersonDraft.name(typed) }
    }

    @Test func `is the user name for an invited person who types none`() throws {
        let invited = try InvitedPerson(username: "carla", name: " ", invitedAt: nil)
        #expect(invited.name == "carla")
        #expect(throws: InvitedPerson.NameError.name) {
            try InvitedPerson(username: "carla", name: String(repeating: "a", count: 1025), invitedAt: nil)
        }
    }
}
