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

    @Test func `stands behind a sentence about the word, where there is one`() {
        let suggestion = Suggestion(from: ["sendmail", "off"])
        #expect(
            suggestion.refusal("It is sendmail or off.", of: "sendmial").description
                == "It is sendmail or off. Did you mean sendmail?")
        #expect(suggestion.refusal("It is sendmail or off.", of: "pigeon").description == "It is sendmail or off.")
    }

    @Test func `of the parser is shown where it is likely`() {
        let likely = "Error: Unknown option '--isuer'. Did you mean '--issuer'?\nUsage: countersign serve"
        #expect(Suggestion.likely(in: likely) == likely)
        let unlikely = "Error: Unknown option '--party'. Did you mean '--data'?\nUsage: countersign admin limit list"
        #expect(
            Suggestion.likely(in: unlikely) == "Error: Unknown option '--party'.\nUsage: countersign admin limit list")
        #expect(Suggestion.likely(in: "Error: Unknown option '--x'") == "Error: Unknown option '--x'")
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
        #expect(unknown("help srve")?.failure.description == unknown("srve")?.failure.description)
        #expect(unknown("help admin clinet")?.suggestion == "client")
        #expect(
            unknown("admin user frobnicate")?.failure.description
                == "There is no command countersign admin user frobnicate. See countersign admin user --help.")
        #expect(unknown("admin usr")?.failure.status == .usage)
    }

    @Test(arguments: [
        "", "serve", "serve extra", "--version", "admin", "admin --help", "admin client list extra", "help",
        "help serve",
        "help admin client", "help help", "admin report list", "admin help clinet",
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
