import Testing

@testable import CountersignCommand

@Suite("A suggestion for a mistyped word")
struct SuggestionTests {
    @Test(arguments: [
        ("clinet", "client"), ("usr", "user"), ("sohw", "show"), ("ad", "add"),
        ("start-per-adress", "start-per-address"),
        ("client", "client"),
    ])
    func `is the word that was meant`(typed: String, meant: String) {
        let suggestion = Suggestion(from: ["add", "client", "user", "show", "start-per-address"])
        #expect(suggestion.nearest(to: typed) == meant)
        #expect(suggestion.question(for: typed) == "Did you mean \(meant)?")
    }

    @Test(arguments: ["", "x", "rm", "frobnicate", "colour", String(repeating: "client", count: 3)])
    func `is missing where nothing is similar`(typed: String) {
        let suggestion = Suggestion(from: ["add", "client", "user", "show"])
        #expect(suggestion.nearest(to: typed) == nil)
        #expect(suggestion.question(for: typed) == nil)
        #expect(Suggestion(from: []).nearest(to: typed) == nil)
    }

    @Test(arguments: [
        ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("abc", "acb", 1), ("ca", "abc", 3), ("é", "e", 1),
        ("same", "same", 0),
    ])
    func `counts changed letters`(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(left, right) == distance)
    }

    @Test func `is the first word by the alphabet where two are equally similar`() {
        #expect(Suggestion(from: ["sms-hosts", "sms-hosta"]).nearest(to: "sms-host") == "sms-hosta")
    }

    @Test func `stands behind each word of a list`() {
        let suggestion = Suggestion(from: ["issuer", "listen"])
        #expect(suggestion.list(["colour", "isuer"]) == "colour, isuer (did you mean issuer?)")
    }
}

@Suite("A command that does not exist")
struct UnknownCommandTests {
    private func unknown(_ line: String) -> UnknownCommand? {
        UnknownCommand(in: CountersignCommand.self, line.split(separator: " ").map(String.init))
    }

    @Test func `is named with its group, and with the most similar command of that`() {
        #expect(
            unknown("admin clinet add tv --name TV")?.failure.description
                == "There is no command countersign admin clinet. Did you mean countersign admin client?")
        #expect(unknown("sevre")?.suggestion == "serve")
        #expect(
            unknown("admin user frobnicate")?.failure.description
                == "There is no command countersign admin user frobnicate. See countersign admin user --help.")
        #expect(unknown("admin usr")?.failure.status == .usage)
    }

    @Test(arguments: [
        "", "serve", "serve extra", "--version", "admin", "admin --help", "admin client list extra", "help frobnicate",
        "authenticator sites frobnicate", "admin -x clinet",
    ])
    func `is none of those that exist, and no other argument`(line: String) {
        #expect(unknown(line) == nil)
    }

    @Test func `cannot control the terminal`() {
        let sentence = UnknownCommand(in: CountersignCommand.self, ["\u{1B}[2J"])?.failure.description
        #expect(sentence?.contains("\u{1B}") == false)
    }
}
