import Countersign
import CountersignApprover
import CountersignRequester
import Testing

@testable import CountersignCommand
@testable import CountersignNearby

@Suite("What a TV at a terminal says of phones nearby")
struct NearbyWordsTests {
    private func approver(_ name: String) -> NearbyApprover {
        NearbyApprover(id: NearbyApprover.ID(name: name), name: name, pairedAs: nil)
    }

    private func words(_ failure: NearbyFailure) -> String? {
        NearbyNotice.event(.progress(.ended(failure), approver("Anna's phone"))).words
    }

    @Test(arguments: [NearbyFailure.gone(said: .timedOut), .refused(.timedOut), .timedOut])
    func `do not say that a phone has gone whose person has not answered`(failure: NearbyFailure) {
        #expect(words(failure) == "‘Anna's phone’ has not answered. Open its app, or use another way.")
    }

    @Test func `say that a phone has gone when it has`() {
        #expect(words(.gone(said: nil)) == "‘Anna's phone’ has gone. Use another way, or open its app again.")
    }

    @Test(arguments: [
        (NearbyFailure.gone(said: nil), "gone"), (.gone(said: .notNow), "not_now"), (.unreachable, "unreachable"),
        (.turnedAway(.windowClosed), "window_closed"), (.refused(.serverRefused), "server_refused"),
        (.gone(said: .timedOut), "timed_out"), (.notAuthentic, "not_authentic"), (.left, "left"),
        (.anotherCodeIsShown, "another_code_is_shown"),
    ])
    func `give a reason in JSON for each end`(failure: NearbyFailure, reason: String) {
        let notice = NearbyNotice.event(.progress(.ended(failure), approver("Anna's phone")))
        #expect(notice.state == "ended" && notice.reason == reason)
        #expect(NearbyNotice.event(.ended(.failed(failure))).reason == reason)
    }

    @Test func `say that a busy phone will be asked again`() {
        let notice = NearbyNotice.event(.progress(.busy, approver("Anna's phone")))
        #expect(notice.words == "‘Anna's phone’ is busy and will be asked again. You can use another way meanwhile.")
        #expect(notice.state == "busy" && notice.reason == nil && notice.approvers == ["Anna's phone"])
    }

    @Test(arguments: [
        (SameNetwork.no, "The server sees this device and the screen in different networks"),
        (.unknown, "The server can't tell whether this device and the screen are in one network"),
    ])
    func `say why digits are needed although the screen is remembered`(sameNetwork: SameNetwork, reason: String) {
        #expect(
            NearbyApproval.whyDigits(sameNetwork)
                == "\(reason), so the digits are needed although the screen is paired.")
    }

    @Test func `do not send a person whose account is locked to sign in again`() {
        let words = ApprovalError.Code.signedOut.sentence
        #expect(words.contains("locked") && !words.lowercased().contains("sign it in") && !words.contains("again"))
    }

    @Test func `count five hundred phones, and name the first few`() {
        let many = NearbyList(all: (1...500).map { approver("Phone \($0)") })
        let words = many.words(asking: true)
        #expect(
            words == "500 phones are nearby. Type a number, or a part of the name: "
                + "1 Phone 1, 2 Phone 2, 3 Phone 3, 4 Phone 4, 5 Phone 5, …")
        #expect(many.words(asking: false)?.hasPrefix("500 phones are nearby. Nearby: Phone 1, ") == true)
        #expect(many.meant(by: "499")?.name == "Phone 499")
        #expect(many.meant(by: "501") == nil && many.meant(by: "0") == nil)
    }

    @Test func `find a phone by a part of its name, and keep its number`() {
        var list = NearbyList(all: (1...500).map { approver($0 == 400 ? "Anna's phone" : "Phone \($0)") })
        #expect(list.meant(by: "ANNA")?.name == "Anna's phone")
        #expect(list.meant(by: "phone") == nil)
        for number in ["0", "501", "-1", "\(Int.min)", "\(Int.max)"] { #expect(list.meant(by: number) == nil) }
        #expect(list.meant(by: "500")?.name == "Phone 500")
        list.filter = "anna"
        #expect(list.words(asking: true)?.hasSuffix(": 400 Anna's phone.") == true)
    }
}

@Suite("The lines of a terminal that are redrawn")
struct LiveAreaTests {
    @Test func `change in place, and leave the line alone in which the person types`() {
        var area = LiveArea(height: 2)
        #expect(area.opening == "\u{1B}[K\n\u{1B}[K\n")
        let first = area.change(to: ["one", "two"], columns: 80)
        #expect(first == "\u{1B}7\u{1B}[2A\rone\u{1B}[K\u{1B}8" + "\u{1B}7\u{1B}[1A\rtwo\u{1B}[K\u{1B}8")
        // The cursor is saved before and restored after; no line is ended, so nothing scrolls.
        #expect(area.change(to: ["one", "2"], columns: 80) == "\u{1B}7\u{1B}[1A\r2\u{1B}[K\u{1B}8")
        #expect(area.change(to: ["one", "2"], columns: 80).isEmpty)
        #expect(!first.contains("\n"))
    }

    @Test func `never take more than one row each`() {
        var area = LiveArea(height: 1)
        let text = area.change(to: [String(repeating: "x", count: 500)], columns: 20)
        #expect(text.contains("\r" + String(repeating: "x", count: 18) + "…\u{1B}"))
    }

    @Test func `count styles for nothing, and end them where they are cut`() {
        var area = LiveArea(height: 1)
        let line = "\u{1B}[1m7 3\u{1B}[0m is the number"
        #expect(area.change(to: [line], columns: 18).contains("\r\(line)\u{1B}[K"))
        #expect(area.change(to: [line], columns: 8).contains("\r\u{1B}[1m7 3\u{1B}[0m is\u{1B}[0m…\u{1B}[K"))
        #expect(area.change(to: [line], columns: 4).contains("\r\u{1B}[1m7 \u{1B}[0m…\u{1B}[K"))
    }

    @Test func `count the wide characters of a name twice`() {
        var area = LiveArea(height: 1)
        let text = area.change(to: [String(repeating: "電", count: 50)], columns: 20)
        #expect(text.contains("\r" + String(repeating: "電", count: 9) + "…\u{1B}"))
        #expect(area.change(to: ["電話 📱 é"], columns: 11).contains("\r電話 📱 é\u{1B}"))
    }

    @Test func `go away as a whole, with what was typed`() {
        let area = LiveArea(height: 4)
        #expect(area.closing == "\r\u{1B}[4A\u{1B}[J")
        #expect(area.afterTyping("12", columns: 80) == "\u{1B}[1A\r\u{1B}[J")
        #expect(area.afterTyping(String(repeating: "x", count: 200), columns: 80) == "\u{1B}[3A\r\u{1B}[J")
    }
}
