import Testing

@testable import CountersignCommand

@Suite("A signal to stop")
struct StopSignalsTests {
    private let start = ContinuousClock.now

    @Test func `stops at once where nothing drains, and ends it when it comes again later`() {
        var signals = StopSignals(draining: false)
        #expect(signals.receive(at: start) == .stop)
        #expect(signals.receive(at: start + .seconds(2)) == .ignore)
        #expect(signals.endDrain(at: start + .seconds(2)) == .ignore)
        #expect(signals.receive(at: start + .seconds(3)) == .endNow)
    }

    @Test func `drains first, and goes one step further each time it comes again later`() {
        var signals = StopSignals(draining: true)
        #expect(signals.receive(at: start) == .drain)
        #expect(signals.receive(at: start + .seconds(2)) == .ignore)
        #expect(signals.receive(at: start + .seconds(4)) == .stop)
        #expect(signals.endDrain(at: start + .seconds(5)) == .ignore)
        #expect(signals.receive(at: start + .seconds(6)) == .ignore)
        #expect(signals.receive(at: start + .seconds(8)) == .endNow)
    }

    @Test func `counts as a repetition just after the drain has ended by itself`() {
        var signals = StopSignals(draining: true)
        #expect(signals.receive(at: start) == .drain)
        #expect(signals.endDrain(at: start + .seconds(10)) == .stop)
        #expect(signals.receive(at: start + .seconds(11)) == .ignore)
        #expect(signals.receive(at: start + .seconds(13)) == .endNow)
    }
}
