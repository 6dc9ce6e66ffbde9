internal import ArgumentParser
internal import Foundation

/// The time for which an old secret is accepted in addition to a new one: shared by the commands that renew secrets.
struct SecretOverlap: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long the old secret is accepted: a number with s, m, h or d, up to 30d. (default: 24h)",
            valueName: "time"))
    var keepOld: String?

    @Flag(help: "The old secret stops working at once.")
    var atOnce = false

    /// The longest time that an old secret may stay valid, in seconds.
    private static let longest: TimeInterval = 30 * 86_400

    /// The number of seconds for which the old secret is accepted; 0 for not at all.
    ///
    /// - Throws: a ``CommandError`` for options that make no sense.
    func span() throws -> TimeInterval {
        guard !atOnce else {
            guard keepOld == nil else { throw CommandError.usage("--at-once and --keep-old do not go together.") }
            return 0
        }
        guard let span = TimeSpan(parsing: keepOld ?? "24h")?.seconds, (1...Self.longest).contains(span) else {
            throw CommandError.usage("--keep-old takes a number with s, m, h or d, from 1s to 30d.")
        }
        return span
    }
}
