import Countersign
import Testing

@testable import CountersignRequester

@Suite("The schedule of a sign-in's ways")
struct WayScheduleTests {
    private static let delay = Duration.seconds(3)
    private let start = ContinuousClock.now

    /// All sets of ways.
    static let sets: [Set<SignInWay>] = SignInWay.allCases.reduce([[]]) { sets, way in
        sets + sets.map { $0.union([way]) }
    }

    private func schedule(
        proofs: Int = 0,
        _ ways: Set<SignInWay> = Set(SignInWay.allCases),
        codeDelay: Duration = WayScheduleTests.delay
    ) -> WaySchedule {
        WaySchedule(proofs: proofs, ways: ways, codeDelay: codeDelay)
    }

    @Test func `presents each proof alone, and then makes the request`() {
        var schedule = schedule(proofs: 2)
        #expect(schedule.begin() == .present(0))
        #expect(schedule.refuse() == .present(1))
        #expect(schedule.refuse() == .open)
        #expect(schedule.refuse() == .wait)
    }

    @Test func `fails after the last proof when there is no other way`() {
        var schedule = schedule(proofs: 1, [])
        #expect(schedule.begin() == .present(0))
        #expect(schedule.refuse() == .fail)
        #expect(schedule.state == .over)
        var empty = WaySchedule(proofs: 0, ways: [], codeDelay: Self.delay)
        #expect(empty.begin() == .fail)
    }

    @Test(arguments: sets)
    func `starts the way of a known person alone where the server allows it, and the code with a new one`(
        others: Set<SignInWay>
    ) {
        var (schedule, without) = (schedule(), schedule())
        (schedule.alone, without.alone) = (.push, .push)
        #expect(without.open(allowing: others.subtracting([.push]), at: start) != .start([.push]))
        let allowed = others.union([.push])
        #expect(schedule.open(allowing: allowed, at: start) == .start([.push]))
        #expect(schedule.codeAt == nil && schedule.wake(at: start + Self.delay) == .wait)
        let renewed = schedule.open(allowing: allowed, at: start)
        #expect((renewed == .fail) == allowed.isDisjoint(with: [.nearby, .code]))
    }

    @Test(arguments: sets, sets)
    func `starts what both allow, the strong ways before the code`(ways: Set<SignInWay>, allowed: Set<SignInWay>) {
        var schedule = schedule(ways)
        let both = ways.intersection(allowed)
        let step = schedule.open(allowing: allowed, at: start)
        if both.isEmpty {
            #expect(step == .fail && schedule.state == .over)
        } else if both == [.code] || !both.contains(.code) {
            #expect(step == .start(both) && schedule.codeAt == nil)
        } else {
            #expect(step == .start(both.subtracting([.code])))
            #expect(schedule.codeAt == start + Self.delay)
        }
    }

    @Test func `shows the code when its delay is over, once and not before`() {
        var schedule = schedule()
        _ = schedule.open(allowing: [.nearby, .code], at: start)
        #expect(schedule.wake(at: start + .seconds(2)) == .wait)
        #expect(schedule.wake(at: start + .seconds(3)) == .start([.code]))
        #expect(schedule.wake(at: start + .seconds(4)) == .wait)
        #expect(schedule.codeAt == nil)
    }

    @Test(arguments: sets)
    func `shows the code at once when no stronger way is left`(ways: Set<SignInWay>) {
        let stronger = ways.subtracting([.code])
        var schedule = schedule(ways.union([.code]))
        _ = schedule.open(allowing: Set(SignInWay.allCases), at: start)
        var steps: [WaySchedule.Step] = []
        for way in stronger { steps.append(schedule.end(way)) }
        #expect(steps.last == (stronger.isEmpty ? nil : .start([.code])))
        #expect(steps.dropLast().allSatisfy { $0 == .wait })
        #expect(schedule.end(.code) == .fail)
    }

    @Test func `shows the code at once when the app wants no delay`() {
        var schedule = schedule(codeDelay: .zero)
        #expect(schedule.open(allowing: [.browser, .code], at: start) == .start([.browser, .code]))
    }

    @Test func `repeats neither the browser nor the push message with a new code`() {
        var schedule = schedule()
        _ = schedule.open(allowing: Set(SignInWay.allCases), at: start)
        #expect(schedule.open(allowing: Set(SignInWay.allCases), at: start + .seconds(600)) == .start([.nearby]))
        #expect(schedule.codeAt == start + .seconds(603))
    }

    @Test func `does nothing any more once it is over`() {
        var schedule = schedule()
        _ = schedule.open(allowing: Set(SignInWay.allCases), at: start)
        schedule.finish()
        #expect(schedule.wake(at: start + .seconds(9)) == .wait)
        for way in SignInWay.allCases { #expect(schedule.end(way) == .wait) }
        #expect(schedule.open(allowing: [.code], at: start) == .wait)
        #expect(schedule.refuse() == .wait)
    }

    /// Every order of events up to a length, for every set of ways.
    @Test(arguments: sets)
    func `starts each way at most once, and fails exactly when none is left`(ways: Set<SignInWay>) {
        var first = schedule(ways)
        let step = first.open(allowing: Set(SignInWay.allCases), at: start)
        var begun: [SignInWay] = []
        if case .start(let started) = step { begun = Array(started) }
        follow(first, begun: begun, ended: [], at: start, depth: 5)
    }

    private func follow(
        _ schedule: WaySchedule,
        begun: [SignInWay],
        ended: Set<SignInWay>,
        at now: ContinuousClock.Instant,
        depth: Int
    ) {
        guard depth > 0, schedule.state != .over else { return }
        for way in SignInWay.allCases {
            var next = schedule
            judge(next.end(way), &next, begun, ended.union(begun.contains(way) ? [way] : []), now, depth)
        }
        for pause in [Duration.seconds(1), .seconds(3)] {
            var next = schedule
            judge(next.wake(at: now + pause), &next, begun, ended, now + pause, depth)
        }
    }

    private func judge(
        _ step: WaySchedule.Step,
        _ schedule: inout WaySchedule,
        _ begun: [SignInWay],
        _ ended: Set<SignInWay>,
        _ now: ContinuousClock.Instant,
        _ depth: Int
    ) {
        var begun = begun
        if case .start(let started) = step { begun += started }
        #expect(Set(begun).count == begun.count, "a way was started twice")
        let isLeft = begun.contains { !ended.contains($0) } || schedule.codeAt != nil
        #expect((step == .fail) == !isLeft)
        follow(schedule, begun: begun, ended: ended, at: now, depth: depth - 1)
    }
}
