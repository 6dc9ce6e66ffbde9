internal import Foundation

/// A server that is measured, with its operations.
struct Contender {
    let name: String
    let server: ServerProcess
    let loads: [Load]
    /// More nodes of the same server, over the same database.
    var others: [ServerProcess] = []

    var servers: [ServerProcess] { [server] + others }
}

/// The figures of one operation of one server over many rounds.
struct Summary {
    let subject: String
    let load: Load
    let connections: Int
    /// Medians over the rounds.
    let rate: Double
    let median: Double
    let p99: Double
    /// The median of the ratios to the bare endpoint in the same round.
    let ofBare: Double
    /// The lowest and highest rate of a round.
    let spread: ClosedRange<Double>
    let errors: Int
    /// Processor time of the server for each request, in microseconds.
    let cost: Double
    /// Of the server after the last run, in MB.
    let memory: Double
}

extension Summary {
    /// The most processor time that the operation may take, in microseconds: there are targets for 64 connections.
    var mostCost: Double? { connections == 64 && subject.hasPrefix("SQLite") ? load.mostCost : nil }

    /// The target of the operation: there are targets for 64 connections, to one node.
    var target: Load.Target {
        guard connections == 64 else { return .none }
        if subject.hasPrefix("SQLite") { return load.target }
        return subject == "PostgreSQL" ? load.targetOnPostgreSQL : .none
    }
}

/// Measures every operation in turn, round after round, so that a disturbance hits all of them alike.
struct Rounds {
    let plan: Plan
    let directory: URL
    let bare: Contender
    let subjects: [Contender]
    /// Numbers of runs go on from here.
    var firstBatch = 1

    func measure() throws -> [Summary] {
        var summaries: [Summary] = []
        var batch = firstBatch
        for subject in subjects { try warmUp(subject) }
        for connections in plan.connections {
            let wrk = Wrk(connections: connections, seconds: plan.seconds, directory: directory)
            var bareRates: [Double] = []
            var measured: [[[Measurement]]] = subjects.map { $0.loads.map { _ in [] } }
            var bareMeasured: [Measurement] = []
            var bareForms: [Measurement] = []
            var memory: [[Double]] = subjects.map { $0.loads.map { _ in 0 } }
            for _ in 0..<plan.rounds {
                let bareRun = try wrk.measure(bare.loads[0], on: bare.servers, batch: batch)
                bareRates.append(bareRun.rate)
                bareMeasured.append(bareRun)
                bareForms.append(try wrk.measure(bare.loads[1], on: bare.servers, batch: batch))
                for (place, subject) in subjects.enumerated() where subject.servers.count <= connections {
                    for (number, load) in subject.loads.enumerated() {
                        let run = try wrk.measure(load, on: subject.servers, batch: batch)
                        measured[place][number].append(run)
                        memory[place][number] = subject.server.residentMemory
                        Progress.note("\(connections) connections: \(subject.name), \(load.name): \(Int(run.rate))/s")
                    }
                }
                batch += 1
            }
            summaries.append(
                summary(bare, bare.loads[0], connections, bareMeasured, bareRates, bare.server.residentMemory))
            summaries.append(
                summary(bare, bare.loads[1], connections, bareForms, bareRates, bare.server.residentMemory)
            )
            for (place, subject) in subjects.enumerated() where subject.servers.count <= connections {
                for (number, load) in subject.loads.enumerated() {
                    summaries.append(
                        summary(
                            subject,
                            load,
                            connections,
                            measured[place][number],
                            bareRates,
                            memory[place][number]
                        )
                    )
                }
            }
        }
        return summaries
    }

    /// Requests every repeated row once, as clients would have done after some seconds.
    private func warmUp(_ subject: Contender) throws {
        for load in subject.loads where load.rows > 0 {
            let wrk = Wrk(connections: 64, seconds: 1, directory: directory)
            var met = 0
            // Codes that were sent but not answered when a run ended are not used again soon.
            while met < load.rows {
                met += try wrk.measure(load, on: subject.servers, batch: 0, from: met).requests + wrk.connections
            }
        }
    }

    private func summary(
        _ subject: Contender,
        _ load: Load,
        _ connections: Int,
        _ runs: [Measurement],
        _ bareRates: [Double],
        _ memory: Double
    ) -> Summary {
        let rates = runs.map(\.rate)
        return Summary(
            subject: subject.name,
            load: load,
            connections: connections,
            rate: rates.middle,
            median: runs.map(\.median).middle,
            p99: runs.map(\.p99).middle,
            ofBare: zip(rates, bareRates).map { $0 / $1 }.middle,
            spread: (rates.min() ?? 0)...(rates.max() ?? 0),
            errors: runs.reduce(0) { $0 + $1.errors },
            cost: runs.map(\.cost).middle,
            memory: memory
        )
    }
}

extension [Double] {
    /// The median.
    var middle: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
    }

    /// The 99th percentile.
    var percentile99: Double {
        isEmpty ? .nan : sorted()[Swift.min(count - 1, count * 99 / 100)]
    }
}
