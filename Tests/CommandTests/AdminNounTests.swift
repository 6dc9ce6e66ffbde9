import ArgumentParser
import CountersignServer
import Testing

@testable import CountersignCommand

@Suite("A noun of the pages of administrators")
struct AdminNounTests {
    @Test func `is one of the command, too`() {
        let nouns = AdminCommand.configuration.subcommands.map { $0._commandName }
        for noun in AdminNoun.allCases {
            guard let command = noun.command else { continue }
            #expect(nouns.contains(command), "\(noun)")
        }
    }
}
