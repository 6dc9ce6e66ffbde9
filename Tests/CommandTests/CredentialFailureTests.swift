import Countersign
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The failure of a helper's question")
struct CredentialFailureTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let anna = Subject("anna-1")
    private static let denied = CommandError("It was denied.", status: .denied)
    private static let interrupted = CommandError("It was interrupted.", status: .interrupted)

    private func failure(_ error: CommandError = Self.denied, asking person: Subject?) -> CredentialFailure {
        CredentialFailure(error, asking: person, at: noon)
    }

    @Test func `is that of the processes that waited for it`() {
        let failure = failure(asking: nil)
        #expect(failure.isNews(since: noon - 60, at: noon) && failure.isNews(since: noon, at: noon + 60))
        #expect(!failure.isNews(since: noon + 1, at: noon + 60))
        // The clock was ahead.
        #expect(!failure.isNews(since: noon - 60, at: noon - 1))
        // They were not ended, and may ask.
        #expect(!self.failure(Self.interrupted, asking: nil).isNews(since: noon - 60, at: noon))
    }

    @Test(arguments: [Self.denied, Self.interrupted, CommandError("It expired.", status: .expired)])
    func `keeps its person from being asked on devices again for a while`(error: CommandError) {
        let (failure, end) = (failure(error, asking: anna), noon + 900)
        #expect(failure.pause(beforeAsking: anna, at: noon) == end)
        #expect(failure.pause(beforeAsking: anna, at: end - 1) == end)
        #expect(failure.pause(beforeAsking: anna, at: end) == nil)
        #expect(failure.pause(beforeAsking: anna, at: noon - 1) == nil)
        #expect(failure.pause(beforeAsking: Subject("ben-1"), at: noon) == nil)
        #expect(failure.pause(beforeAsking: nil, at: noon) == nil)
    }

    @Test(arguments: [
        CommandError("It failed."), CommandError("It was not reached.", status: .notReached),
        CommandError("Another answered.", status: .notMe), CommandError("It was refused.", status: .refused),
    ])
    func `keeps nobody from being asked where nobody has denied it or let it expire`(error: CommandError) {
        #expect(failure(error, asking: anna).pause(beforeAsking: anna, at: noon) == nil)
        #expect(failure(asking: nil).pause(beforeAsking: anna, at: noon) == nil)
    }

    @Test func `is read in the form of before, which knew no person`() throws {
        let kept = Data(#"{"ended":0,"sentence":"It failed.","status":3}"#.utf8)
        let failure = try JSONDecoder().decode(CredentialFailure.self, from: kept)
        #expect(failure.error.description == "It failed." && failure.error.status == .denied)
        #expect(failure.pause(beforeAsking: anna, at: Date(timeIntervalSinceReferenceDate: 1)) == nil)
    }
}
