internal import ArgumentParser

/// Measures the server under load, beside a bare endpoint on the same machine and in the same minutes.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign-benchmarks",
        abstract: "Measure the server under load.",
        subcommands: [RunBenchmarks.self, BareServer.self],
        defaultSubcommand: RunBenchmarks.self
    )
}
