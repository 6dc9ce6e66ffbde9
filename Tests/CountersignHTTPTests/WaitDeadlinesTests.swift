import Testing

@testable import CountersignHTTP

@Suite("The deadlines of waits")
struct WaitDeadlinesTests {
    private let began = ContinuousClock.now

    private func deadlines(_ seconds: [Int]) -> (WaitDeadlines<Int>, [Int]) {
        var deadlines = WaitDeadlines<Int>()
        let numbers = seconds.map { deadlines.add($0, until: began + .seconds($0)) }
        return (deadlines, numbers)
    }

    @Test func `are over one after the other, whatever the order in which they came`() {
        var (deadlines, _) = deadlines([5, 1, 9, 1, 3])
        #expect(deadlines.removeDue(at: began) == [])
        #expect(deadlines.removeDue(at: began + .seconds(1)) == [1, 1])
        #expect(deadlines.earliest == began + .seconds(3))
        #expect(deadlines.removeDue(at: began + .seconds(8)) == [3, 5])
        #expect(deadlines.removeDue(at: began + .seconds(9)) == [9])
        #expect(deadlines.earliest == nil)
    }

    @Test func `that were removed are not over, and not the earliest`() {
        var (deadlines, numbers) = deadlines([5, 1, 9, 2])
        deadlines.remove(numbers[1])
        #expect(deadlines.earliest == began + .seconds(2))
        deadlines.remove(numbers[3])
        deadlines.remove(numbers[3])
        #expect(deadlines.earliest == began + .seconds(5))
        #expect(deadlines.removeDue(at: began + .seconds(20)) == [5, 9])
        deadlines.remove(numbers[0])
        #expect(deadlines.size == 0)
    }

    /// A client that polls and disconnects again and again leaves nothing behind.
    @Test func `take no more memory than there are waits`() {
        var (deadlines, _) = deadlines([1])
        for round in 2...10_000 {
            let number = deadlines.add(round, until: began + .seconds(round))
            deadlines.remove(number)
            #expect(deadlines.size <= 128)
        }
        #expect(deadlines.removeDue(at: began + .seconds(20_000)) == [1])
    }
}
