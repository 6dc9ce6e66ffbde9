internal import CountersignServer
internal import Foundation
internal import NIOCore
internal import TestShell

/// A server in a process of its own.
final class ServerProcess {
    let name: String
    private let process: RunningProgram
    let reserved: ReservedPort
    /// The time until the first answer, in seconds, counted from the moment before the process was made.
    private(set) var startUp: Double = 0

    /// Starts a program and returns when `path` is answered.
    init(
        _ name: String,
        _ program: String,
        _ arguments: [String],
        at reserved: ReservedPort,
        answering path: String,
        log: URL,
        environment: [String: String] = [:]
    ) throws {
        self.name = name
        self.reserved = reserved
        let began = ContinuousClock.now
        process = try RunningProgram(
            program,
            arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            printing: .file(log)
        )
        while true {
            if let answer = try? PlainHTTP(port: port).get(path), answer.status < 500 { break }
            guard process.isRunning, began.duration(to: .now) < .seconds(20) else {
                let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                throw BenchmarkFailure("\(name) does not answer. It said: \(said.suffix(800))")
            }
            usleep(500)
        }
        startUp = began.duration(to: .now) / .seconds(1)
    }

    var port: Int { reserved.number }

    /// A port of this machine that is the server's alone.
    static func anyPort() throws -> ReservedPort {
        try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0))
    }

    /// Resident memory in MB, now.
    var residentMemory: Double {
        let status = (try? String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Double(line.split(separator: " ").dropLast().last ?? "") ?? .nan) * 1024 / 1e6
    }

    /// The processor time that it has used, in seconds: on a busy machine more reliable than elapsed time.
    var processorTime: Double {
        let stat = (try? String(contentsOfFile: "/proc/\(process.number)/stat", encoding: .utf8)) ?? ""
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[12]), let system = Double(fields[13]) else { return .nan }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Stops the server and waits until it has ended.
    func stop() {
        guard process.isRunning else { return }
        process.signal(SIGTERM)
        for _ in 0..<1_000 where process.isRunning { usleep(10_000) }
        process.kill()
    }

    deinit { stop() }
}

/// A failure of a benchmark, in a sentence.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
