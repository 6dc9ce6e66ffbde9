internal import ArgumentParser
internal import Countersign
internal import CountersignWire
internal import Foundation

/// The options of `signin --as-service`: a program acts for the person who approves, until an end.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Let a program act for the person who approves, for this purpose, such as "backup on nas", and until --until. \
            Its tokens are kept apart, under the purpose.
            """, valueName: "purpose"))
    var asService: String?

    @Option(
        help: ArgumentHelp(
            """
            With --as-service, the end: tomorrow (in 24 hours), a span such as 8h or 7d, or a time such as \
            2026-12-01T10:00Z.
            """, valueName: "end"))
    var until: String?

    /// Whether any of these was given.
    var isChosen: Bool { asService != nil || until != nil }

    /// The service; `nil` for none.
    ///
    /// - Parameter now: The current time.
    func service(at now: Date) throws -> GuestService? {
        guard let asService else {
            guard until == nil else { throw CommandError.usage("--until goes with --as-service, which is missing.") }
            return nil
        }
        guard let until else {
            throw CommandError.usage("--as-service takes --until: a service always ends, as in --until tomorrow.")
        }
        let purpose = try GuestService.purpose(parsing: asService).or(usage: "--as-service takes a purpose in words.")
        let end = try Self.end(parsing: until, at: now).or(
            usage: "--until takes tomorrow, a span such as 8h or 7d, or a time such as 2026-12-01T10:00Z; not \(until)."
        )
        guard now < end else { throw CommandError.usage("The end \(end.formatted(.iso8601)) is over.") }
        return GuestService(purpose: purpose, ends: end)
    }

    /// The end that a person typed; `nil` for text that names none.
    ///
    /// - Parameter now: The current time.
    static func end(parsing text: String, at now: Date) -> Date? {
        if text == "tomorrow" { return now + 86_400 }
        if let span = TimeSpan(parsing: text) { return now + span.seconds }
        let form = #/(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(Z|[+-]\d\d:\d\d)/#
        guard let read = text.wholeMatch(of: form) else { return nil }
        let typed = "\(read.1)\(read.2 ?? ":00")Z"
        // A day or an hour that does not exist would be read as a later one.
        guard let instant = try? Date(typed, strategy: .iso8601), instant.formatted(.iso8601) == typed else {
            return nil
        }
        guard read.3 != "Z" else { return instant }
        let parts = read.3.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2, parts[0] < 24, parts[1] < 60 else { return nil }
        let offset = TimeInterval(parts[0] * 3600 + parts[1] * 60)
        return read.3.hasPrefix("+") ? instant - offset : instant + offset
    }
}
