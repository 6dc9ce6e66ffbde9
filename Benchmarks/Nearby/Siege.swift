internal import Foundation

/// A flood of hostile packets on the network, and hostile connections to the port of a phone.
struct Siege {
    /// The count of connections begun in a second.
    static let rate = 300

    private let flood: TimedProgram
    private let connections: TimedProgram

    /// Begins it, and returns when it has lasted for some seconds.
    ///
    /// - Parameters:
    ///   - phone: The phone whose port it is aimed at.
    ///   - addresses: Addresses of the screens' host.
    ///   - python: The interpreter.
    init(of phone: RunningPhone, from addresses: [String], by python: String) throws {
        let (packets, seconds) = ("\(FloodBenchmark.rate)", "1800")
        let flooding = [python, "-u", "Tests/NetworkTests/Peers/flood.py", packets, seconds]
        let connecting = [
            python, "-u", "Benchmarks/Nearby/besiege.py", "10.78.0.2", phone.port, "\(Self.rate)", seconds,
        ]
        flood = try phone.lan.start(flooding + addresses, on: .a)
        connections = try phone.lan.start(connecting + addresses, on: .a)
        let areReady = [flood, connections].allSatisfy { $0.line(within: 20) { $0 == "ready" } != nil }
        usleep(3_500_000)
        guard areReady, made > 0 else {
            end()
            throw BenchmarkFailure("There is no siege.")
        }
    }

    /// The count of connections made in a second.
    var made: Int {
        let counts = connections.lines.compactMap { $0.text.hasPrefix("made ") ? Int($0.text.dropFirst(5)) : nil }
        return (counts.last ?? 0) / max(counts.count, 1)
    }

    func end() {
        flood.stop(SIGKILL)
        connections.stop(SIGKILL)
    }
}
