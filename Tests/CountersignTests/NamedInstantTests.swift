import Foundation
import Testing

@testable import Countersign

@Suite("An instant that another party names")
struct NamedInstantTests {
    @Test(
        arguments: [
            (0, 0), (1_800_000_000, 1_800_000_000), (-1, 0), (.min, 0), (.max, 253_402_300_799),
        ] as [(Int, Double)])
    func `is brought within the years that a calendar has`(seconds: Int, expected: Double) {
        #expect(Date(named: seconds).timeIntervalSince1970 == expected)
    }

    @Test func `can be waited for by any clock`() {
        let far = Date(named: UInt64.max).timeIntervalSince(Date(named: Int.min))
        #expect((ContinuousClock.now + .seconds(far)) > ContinuousClock.now)
        #expect(Duration.seconds(far).components.seconds == 253_402_300_799)
    }
}
