import CommandFixture
import Foundation
import Testing

@Suite(
    "A TV and a phone on two hosts", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Network.canBeMade, Comment(rawValue: Network.need)), SharedNearbyServer())
struct NearbyStoryTests {
    /// Both persons do what they are asked, with the six digits.
    private func pair(_ phone: AnsweringTerminal, with tv: AnsweringTerminal) async throws {
        try await phone.reads("in front of you")
        await phone.answer("yes")
        let digits = try await tv.readsDigits()
        try await phone.reads("Digits: ")
        await phone.answer(digits)
        try await approve(at: phone)
    }

    private func approve(at phone: AnsweringTerminal) async throws {
        let asked = try await phone.reads("Approve?")
        #expect(asked.contains("Living room TV (not verified) wants to be signed in as Anna Example."))
        #expect(asked.contains("  screen: Test TV (as it calls itself)"))
        await phone.answer("yes")
    }

    /// Both say that it is done, and end.
    private func end(_ phone: AnsweringTerminal, _ tv: AnsweringTerminal) async throws {
        let (signedIn, approved) = (try await tv.finish(), try await phone.finish())
        #expect(signedIn.status == 0 && signedIn.output.contains("Signed in as Anna Example (anna)."))
        #expect(signedIn.output.contains("Test phone has approved."))
        #expect(approved.status == 0 && approved.output.contains("The screen ‘Test TV’ has its approval."))
    }

    @Test func `know each other after six digits, and not any more once that is forgotten`() async throws {
        try await NearbyNetwork.with { story in
            let (phone, tv) = (try story.phone.approve("--pair --once"), try story.tv.signIn("--pair"))
            try await pair(phone, with: tv)
            try await end(phone, tv)
            #expect(phone.printed.contains("It is paired now."))

            let (again, second) = (try story.phone.approve("--pair --once"), try story.tv.signIn("--pair"))
            try await approve(at: again)
            try await end(again, second)
            #expect(!second.printed.contains("Type ") && !again.printed.contains("Digits: "))

            try await story.phone.forget()
            let (stranger, third) = (try story.phone.approve("--once"), try story.tv.signIn())
            try await pair(stranger, with: third)
            try await end(stranger, third)
        }
    }

    @Test(arguments: [Network.Version.four, .six])
    func `meet where there are addresses of one version only`(version: Network.Version) async throws {
        try await NearbyNetwork.with { story in
            try await story.network.keepOnly(version)
            let (phone, tv) = (try story.phone.approve("--once"), try story.tv.signIn())
            try await pair(phone, with: tv)
            try await end(phone, tv)
            #expect(phone.printed.contains(version == .four ? ", at 10.78.0.2, " : ", at fe80::2, "))
        }
    }

    @Test func `meet where 30 % of everything is lost`() async throws {
        try await NearbyNetwork.with { story in
            try await story.network.lose(30, at: .a)
            let (phone, tv) = (try story.phone.approve("--once"), try story.tv.signInAtTerminal())
            // A talk that took too long is begun again: both persons answer each question as often as it is asked.
            let persons = Task { await PatientPersons(phone: phone, tv: tv).answerAll() }
            defer { persons.cancel() }
            try await phone.reads("Approve?")
            // Whether the phone's last words came through or not: what was approved stands.
            #expect(try await tv.finish().output.contains("Signed in as Anna Example (anna)."))
            #expect(try await phone.finish().status == 0)
        }
    }

    @Test func `notice that the phone's host has gone, and go on with the code beside`() async throws {
        try await NearbyNetwork.with { story in
            let (phone, tv) = (try story.phone.approve(), try story.tv.signIn())
            try await phone.reads("in front of you")
            await phone.answer("yes")
            _ = try await tv.readsDigits()
            try await story.network.unplug(.a)
            try await tv.reads("‘Test phone’ has gone. Use another way")
            try await phone.reads("The screen ‘Test TV’ has gone.")
            try await story.fixture.approveByCode(what: tv.running)
            #expect(try await tv.finish().status == 0)
            #expect(try await phone.interrupt().status == 0)
        }
    }

    @Test func `meet again when the phone has died and come back, and nobody types at the TV`() async throws {
        try await NearbyNetwork.with { story in
            let (phone, tv) = (try story.phone.approve(), try story.tv.signIn())
            try await phone.reads("in front of you")
            phone.running.signal(SIGKILL)
            try await tv.reads("‘Test phone’ has gone.")
            let again = try story.phone.approve("--once")
            try await pair(again, with: tv)
            try await end(again, tv)
        }
    }

    @Test func `meet as the person at the TV chooses among phones, and no other phone is asked`() async throws {
        try await NearbyNetwork.with { story in
            let (one, other) = (try story.phone.approve(called: "B phone"), try story.phone.approve(called: "C phone"))
            let browser = try story.browser()
            try await browser.line(with: "resolved", "B phone")
            try await browser.line(with: "resolved", "C phone")
            let tv = try story.tv.signInAtTerminal()
            try await tv.reads("Type the number of the one to ask: 1 B phone, 2 C phone.")
            let late = try story.phone.approve(called: "A phone")
            try await tv.reads("Type the number of the one to ask: 1 A phone, 2 B phone, 3 C phone.")
            // The number means what the list says that was shown last.
            await tv.answer("3")
            try await pair(other, with: tv)
            #expect(try await tv.finish().output.contains("Signed in as Anna Example (anna)."))
            for phone in [one, late] { #expect(!phone.printed.contains("in front of you")) }
            for phone in [one, other, late] { #expect(try await phone.interrupt().status == 0) }
        }
    }

    /// The phase of a story when it is stopped.
    enum Phase: String, CaseIterable {
        case searching, asked, codeShown, deciding

        /// Goes on until this phase.
        func reach(_ phone: AnsweringTerminal?, _ tv: AnsweringTerminal?) async throws {
            guard let phone, let tv, self != .searching else { return }
            try await phone.reads("in front of you")
            guard self != .asked else { return }
            await phone.answer("yes")
            let digits = try await tv.readsDigits()
            try await phone.reads("Digits: ")
            guard self != .codeShown else { return }
            await phone.answer(digits)
            try await phone.reads("Approve?")
        }
    }

    @Test func `end in order when the phone is stopped, at every phase`() async throws {
        try await NearbyNetwork.with { story in
            let browser = try story.browser()
            for phase in Phase.allCases {
                let name = "Phone \(phase)"
                let phone = try story.phone.approve(called: name)
                try await browser.line(with: "resolved", name)
                let tv = phase == .searching ? nil : try story.tv.signIn()
                try await phase.reach(phone, tv)
                #expect(try await phone.interrupt().status == 0)
                try await browser.line(with: "removed", name)
                try await tv?.reads("‘\(name)’ has gone. Use another way")
                try await tv?.interrupt()
            }
        }
    }

    @Test func `end in order when the TV is stopped, at every phase`() async throws {
        try await NearbyNetwork.with { story in
            let lonely = try story.tv.signIn()
            try await lonely.reads("works until")
            #expect(try await lonely.interrupt().status == 130)
            let phone = try story.phone.approve()
            for phase in Phase.allCases where phase != .searching {
                let tv = try story.tv.signIn()
                try await phase.reach(phone, tv)
                #expect(try await tv.interrupt().status == 130)
                // A request that was shown has its end in the list.
                try await phone.reads(phase == .deciding ? "stopped asking" : "The screen ‘Test TV’ has gone.")
            }
            #expect(try await phone.interrupt().status == 0)
        }
    }
}
