internal import Countersign
internal import CountersignRequester
internal import Foundation

/// A session of this system that ends when its person signs out: a folder with the tokens, which is named for the process
/// that asked and for its parent.
///
/// `sshd` asks in a process of its own and opens the session in its parent; other applications do both in one process.
struct HostSession: Sendable {
    /// The folder of a host for all of them.
    static let place = "/run/countersign-pam"

    /// The folder.
    let path: String

    /// A new folder for the application that asks; those of applications that have gone are removed.
    ///
    /// - Throws: a ``CommandError`` when it cannot be made.
    init(asking head: PAMHead) throws(CommandError) {
        let process = try HostProcess(running: head.process).or(failure: "The application has gone.")
        let parent = HostProcess(running: head.parent)
        Self.removeStale()
        path = "\(Self.place)/\(process)-\(parent?.description ?? "0.0")"
        do {
            try PrivateDirectory(path: Self.place).make()
            try PrivateDirectory(path: path).make()
        } catch {
            throw CommandError("\(path) cannot be made: \(error).")
        }
    }

    /// The folder that the application made when it asked; `nil` where it did not.
    private init?(of head: PAMHead) {
        guard let process = HostProcess(running: head.process) else { return nil }
        let names = Self.names.sorted()
        let asked = names.first { $0.hasPrefix("\(process)-") } ?? names.first { $0.hasSuffix("-\(process)") }
        guard let asked else { return nil }
        path = "\(Self.place)/\(asked)"
    }

    /// The folder at a path.
    init(at path: String) {
        self.path = path
    }

    /// The tokens.
    var store: any TokenStore {
        SealedFileTokenStore(directory: path, clock: .system, drawingFrom: .system)
    }

    /// Whether the session goes on, as far as the application has said.
    var isOpen: Bool { FileStatus(at: path)?.kind == .directory && FileStatus(at: end) == nil }

    /// The file that says that the session is over.
    private var end: String { "\(path)/over" }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The names of all folders.
    private static var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] }

    private static func removeStale() {
        for name in names {
            let processes = name.split(separator: "-").map { HostProcess(String($0)) }
            if !processes.contains(where: { $0?.isRunning ?? false }) { HostSession(at: "\(place)/\(name)").remove() }
        }
    }
}

extension HostSession {
    /// Starts the watch over a session that begins; `unknown` where nothing is to be watched.
    ///
    /// - Throws: a ``CommandError`` when it does not start.
    static func watch(_ head: PAMHead, by rule: PAMServiceRule, configuredAt path: String) throws(CommandError)
        -> PAMVerdict
    {
        guard rule.endsWithSignOut, let session = HostSession(of: head),
            let leader = HostProcess(running: head.process)
        else { return .unknown }
        let watch = Process()
        watch.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        watch.arguments = [
            "pam", "watch", "--configuration", path, "--service", head.service, "--leader", leader.description,
            session.path,
        ]
        let ready = Pipe()
        watch.standardInput = FileHandle.nullDevice
        watch.standardOutput = ready
        watch.standardError = FileHandle.nullDevice
        do {
            try watch.run()
        } catch {
            throw CommandError("The watch over the session cannot be started: \(error).")
        }
        // Until it is in a session of its own, it would end with this process.
        let said = try? ready.fileHandleForReading.read(upToCount: 6)
        guard said == Data("ready\n".utf8) else { throw CommandError("The watch over the session ended at once.") }
        return .success
    }

    /// Ends the watch over a session that is over; it then revokes the tokens.
    ///
    /// - Throws: a ``CommandError`` when that cannot be noted.
    static func close(_ head: PAMHead) throws(CommandError) -> PAMVerdict {
        guard let session = HostSession(of: head) else { return .unknown }
        guard FileManager.default.createFile(atPath: session.end, contents: nil) else {
            throw CommandError("\(session.end) cannot be made.")
        }
        return .success
    }
}
