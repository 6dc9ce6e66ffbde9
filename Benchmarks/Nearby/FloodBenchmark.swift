internal import Foundation

/// Measures how much of the processor a search takes beside a flood of hostile packets, and how soon it finds what is
/// there.
struct FloodBenchmark {
    let lan: Lan
    let responders: Responders
    /// The count of packets sent in a second.
    static let rate = 10_000

    struct Result {
        /// From how many addresses the flood comes.
        let addresses: Int
        /// From the start of the search until the real service is resolved; `nil` if it was not in time.
        let found: Double?
        /// The part of one core that the search took.
        let share: Double
    }

    /// A service on one host, and a flood from the same host, which the other one searches through.
    ///
    /// - Parameter addresses: From how many addresses the flood comes.
    func measure(from addresses: Int) throws -> Result {
        let sources = try lan.add(addresses, to: .b)
        defer { lan.remove(sources, from: .b) }
        let service = try lan.start(responders.advertise("Real", by: .countersign), on: .b)
        defer { service.stop() }
        guard service.line(within: 20, where: Responder.countersign.establishes) != nil else {
            throw BenchmarkFailure("The service is not advertised.")
        }
        let words = [responders.python, "-u", "Tests/NetworkTests/Peers/flood.py", "\(Self.rate)", "60"]
        let flood = try lan.start(words + sources, on: .b)
        defer { flood.stop(SIGKILL) }
        guard flood.line(within: 20, where: { $0 == "ready" }) != nil else {
            throw BenchmarkFailure("There is no flood.")
        }
        usleep(1_000_000)
        let search = try lan.start(responders.search(.countersign), on: .a)
        defer { search.stop(SIGKILL) }
        let began = try search.began()
        let found = search.line(within: 15) { Responder.countersign.resolves("Real", $0) }?.at
        let (before, start) = (search.processorTime, TimedProgram.now)
        usleep(10_000_000)
        let share = (search.processorTime - before) / (TimedProgram.now - start)
        return Result(addresses: addresses, found: found.map { $0 - began }, share: share)
    }

    static func show(_ results: [Result]) {
        print("A search beside \(rate) hostile packets a second, of all kinds:")
        for one in results {
            let from = one.addresses == 1 ? "one address" : "\(one.addresses) addresses"
            let verdict = one.share < 0.33 && one.found != nil ? "reached" : "MISSED"
            print(
                "From \(from): found in \(Spans.milliseconds(one.found)) ms, "
                    + String(format: "%.2f of a core (target: found, and below 0.33; %@)", one.share, verdict))
        }
        print("")
    }
}
