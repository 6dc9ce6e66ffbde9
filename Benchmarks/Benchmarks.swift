internal import ArgumentParser

/// Measures the server under load, beside a bare endpoint on the same machine and in the same minutes, and how others
/// are found nearby.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign-benchmarks",
        abstract: "Measure the server under load, and how others are found nearby.",
        subcommands: [
            RunBenchmarks.self, VerificationBenchmarks.self, AuthenticatorBenchmarks.self, BareServer.self,
            NearbyBenchmarks.self, LinkPhone.self,
            LinkScreen.self, GateIssuer.self,
        ],
        defaultSubcommand: RunBenchmarks.self
    )
}
