import Countersign
import Foundation
import Testing

@testable import CountersignServer

@Suite("A time on a page")
struct TimeDisplayTests {
    let noon = Date(timeIntervalSince1970: 1_800_014_400)

    @Test(arguments: [
        (0.0, "just now, 12:00 UTC"),
        (59, "just now, 11:59 UTC"),
        (60, "1 minute ago, 11:59 UTC"),
        (3_599, "59 minutes ago, 11:00 UTC"),
        (7_300, "2 hours ago, 09:58 UTC"),
        (86_400, "14 January 2027, 12:00 UTC"),
    ])
    func `is told by its distance, and later by its date`(ago: Double, expected: String) {
        #expect(TimeDisplay(noon - ago, at: noon).text.english == expected)
    }

    @Test func `is there for machines too`() {
        #expect(TimeDisplay(noon, at: noon).machine == "2027-01-15T12:00:00Z")
    }

    @Test func `in the future is told by its date`() {
        #expect(TimeDisplay(noon + 60, at: noon).text.english == "15 January 2027, 12:01 UTC")
    }

    @Test(arguments: [
        ("Europe/Vienna", "15 January 2027, 13:00", "13:00"), ("Asia/Kolkata", "15 January 2027, 17:30", "17:30"),
        ("Pacific/Auckland", "16 January 2027, 01:00", "01:00"), ("America/Adak", "15 January 2027, 02:00", "02:00"),
    ])
    func `is told in the zone of its reader, which needs no name there`(
        zone: String, date: String, clock: String
    ) throws {
        let found = try #require(TimeZone(named: zone))
        var table = TextTable.english
        table.zone = found
        let display = TimeDisplay(noon, at: noon + 86_400)
        #expect(display.text.words(in: table) == date && display.clock.words(in: table) == clock)
        #expect(display.second.words(in: table) == "\(clock):00" && display.machine == "2027-01-15T12:00:00Z")
    }

    @Test(arguments: [
        "", "/", "Vienna", "Europe/Nowhere", "../../etc/passwd", "GMT+5", "<b>/</b>",
        String(repeating: "a/", count: 999),
    ])
    func `has no zone of another name than those of the database`(name: String) {
        #expect(TimeZone(named: name) == nil)
    }

    @Test(arguments: [
        (-5.0, "0 seconds"), (1, "1 second"), (109.9, "109 seconds"), (110, "2 minutes"), (119.9, "2 minutes"),
        (250, "4 minutes"), (289.9, "4 minutes"), (299, "5 minutes"),
    ])
    func `that is left is rounded down`(seconds: Double, expected: String) {
        #expect(TimeDisplay.span(seconds).english == expected)
    }
}

@Suite("A requester's own words on a page")
struct ShownClaimTests {
    @Test func `are cut when they are long`() {
        let fact = FactLine.deviceName(.asserted(String(repeating: "x", count: 5_000)))
        #expect(fact.text.english == String(repeating: "x", count: FactLine.longestClaim) + "…")
    }

    @Test func `are whole when they are short`() {
        #expect(FactLine.claim("Living room TV 📺") == "Living room TV 📺")
    }

    @Test func `cannot turn the direction of text`() {
        #expect(FactLine.claim("\u{202E}gnp.exe\u{2067}") == "gnp.exe")
    }

    @Test func `are told apart from what is verified`() {
        let bank = TestApps.bank.record(created: Date(timeIntervalSince1970: 1_800_000_000))
        let said = FactLine.app(bank, .asserted)
        let proved = FactLine.app(bank, .verified)
        #expect(said.isAsserted && said.note != nil)
        #expect(proved.isVerified && proved.note == nil && proved.source != said.source)
    }

    /// A name that the operator gave is nobody's own words; that of an app that registered itself is.
    @Test func `are not those of the operator, who named the app`() {
        var bank = TestApps.bank.record(created: Date(timeIntervalSince1970: 1_800_000_000))
        #expect(FactLine.app(bank, .asserted).source.english == "Not verified")
        bank.registration = .device(
            ClientSoftware(id: "org.example.radio", version: "1"), expires: Date(timeIntervalSince1970: 1_900_000_000))
        for provenance in [Provenance.asserted, .verified] {
            let own = FactLine.app(bank, provenance)
            #expect(own.isAsserted && own.source.english == "The screen’s own words, not verified")
        }
    }
}
