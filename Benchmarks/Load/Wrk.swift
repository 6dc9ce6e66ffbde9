internal import Foundation
internal import TestShell

/// One measurement of one operation.
struct Measurement {
    /// Requests answered in a second.
    let rate: Double
    /// In milliseconds.
    let median: Double
    let p99: Double
    /// Answers that the operation should not give, and broken connections.
    let errors: Int
    let requests: Int
    /// Processor time of the server for each request, in microseconds.
    let cost: Double
}

/// Drives one operation by `wrk`, which every server is measured with, the bare one too.
struct Wrk {
    let connections: Int
    let seconds: Int
    let directory: URL

    /// Drives all servers of one contender alike, each by a thread of its own.
    func measure(_ load: Load, on servers: [ServerProcess], batch: Int, from place: Int = 0) throws -> Measurement {
        let script = directory.appendingPathComponent("load.lua")
        try (Self.sharing(among: servers, from: place) + load.script(batch) + Self.reporting).write(
            to: script, atomically: true, encoding: .utf8)
        let address = "http://127.0.0.1:\(servers[0].port)\(load.path)"
        let before = servers.reduce(0) { $0 + $1.processorTime }
        let said = try Shell.run(
            "wrk",
            ["-t\(servers.count)", "-c\(connections)", "-d\(seconds)s", "--timeout", "10s", "-s", script.path, address])
        let used = servers.reduce(0) { $0 + $1.processorTime } - before
        for refusal in said.split(separator: "\n") where refusal.hasPrefix("REFUSED ") {
            Progress.note("\(load.name): first refusal of a thread: \(refusal.dropFirst(8).prefix(300))")
        }
        guard let line = said.split(separator: "\n").last(where: { $0.hasPrefix("RESULT ") }) else {
            throw BenchmarkFailure("wrk measured nothing for \(load.name). It said: \(said.suffix(500))")
        }
        let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count == 6 else { throw BenchmarkFailure("wrk's report is strange: \(line)") }
        let refused = load.expectsRefusal ? Int(numbers[0]) - Int(numbers[4]) : Int(numbers[4])
        return Measurement(
            rate: numbers[0] / (numbers[1] / 1e6),
            median: numbers[2] / 1000,
            p99: numbers[3] / 1000,
            errors: refused + Int(numbers[5]),
            requests: Int(numbers[0]),
            cost: used * 1e6 / numbers[0]
        )
    }

    private static func sharing(among servers: [ServerProcess], from place: Int) -> String {
        """
        first, parts = \(place), \(servers.count)
        local ports, threads = {\(servers.map { "\($0.port)" }.joined(separator: ", "))}, {}
        function setup(thread)
          thread:set("part", #threads)
          table.insert(threads, thread)
          thread.addr = wrk.lookup("127.0.0.1", tostring(ports[#threads]))[1]
        end

        """
    }

    private static let reporting = """

        done = function(summary, latency, requests)
          local e = summary.errors
          for _, thread in ipairs(threads) do
            local refusal = thread:get("refusal")
            if refusal then io.write("REFUSED ", (string.gsub(refusal, "%s+", " ")), "\\n") end
          end
          io.write(string.format("RESULT %d %d %f %f %d %d\\n", summary.requests, summary.duration,
            latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
        end
        """
}
