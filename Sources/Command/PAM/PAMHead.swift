internal import Countersign

/// The question of the PAM module: the event, and the application that asks.
struct PAMHead: Sendable, Equatable {
    /// The event.
    enum Event: String, Sendable, Hashable {
        /// A person signs in.
        case authenticate
        /// Their session begins.
        case open
        /// Their session is over.
        case close
    }

    let event: Event
    /// The name of the application's PAM configuration, such as `sshd`.
    let service: String
    /// The local user.
    let user: String
    /// The local user who called the application, as at `su`; `nil` if it does not say.
    let caller: String?
    /// The host from which the person comes; `nil` for this one.
    let host: String?
    /// The process of the application.
    let process: Int32
    /// The process that started it; 0 where it is in another namespace, as of a container.
    let parent: Int32
    /// The time limit of the module, in seconds.
    let timeLimit: Int

    /// The only version of the lines.
    static let version = "1"
    /// The greatest number of lines.
    private static let mostLines = 32

    /// Reads the lines up to the empty one.
    ///
    /// - Parameter lines: The lines, without their ends.
    /// - Throws: a ``CommandError`` for lines of another version, and for a head without one of its members.
    init(_ lines: [String]) throws(CommandError) {
        guard lines.count <= Self.mostLines else { throw Self.unreadable("it has too many lines") }
        var members: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let value = PAMLine.unescaped(parts[1]), members[parts[0]] == nil else {
                throw Self.unreadable("a line is no word with a text, or is there twice")
            }
            members[parts[0]] = value
        }
        guard members["version"] == Self.version else {
            throw Self.unreadable("it is not of version \(Self.version): the module and the command differ")
        }
        event = try members["event"].flatMap(Event.init(rawValue:)).or(failure: Self.sentence("it has no event"))
        service = try members["service"].or(failure: Self.sentence("it names no service"))
        user = try members["user"].or(failure: Self.sentence("it names no user"))
        caller = members["ruser"]
        host = members["rhost"]
        process = try Self.number(members["pid"]).or(failure: Self.sentence("it has no process"))
        parent =
            members["parent"] == "0"
            ? 0 : try Self.number(members["parent"]).or(failure: Self.sentence("it has no parent process"))
        timeLimit = Int(try Self.number(members["timeout"]).or(failure: Self.sentence("it has no time limit")))
    }

    /// Reads a head from standard input.
    ///
    /// - Throws: a ``CommandError`` when it cannot be read, or ends too early.
    static func fromStandardInput() throws(CommandError) -> PAMHead {
        var lines: [String] = []
        while let line = try StandardInput.shared.line() {
            guard !line.isEmpty else { return try PAMHead(lines) }
            guard lines.count < mostLines else { break }
            lines.append(line)
        }
        throw unreadable("it has no end; only the PAM module calls this command")
    }

    private static func number(_ text: String?) -> Int32? {
        text.flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func sentence(_ reason: String) -> String {
        "The question of the PAM module cannot be read: \(reason)."
    }

    private static func unreadable(_ reason: String) -> CommandError { .usage(sentence(reason)) }
}
