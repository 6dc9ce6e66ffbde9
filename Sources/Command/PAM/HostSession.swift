internal import Countersign
internal import CountersignRequester
internal import Foundation

/// A session of this system that ends when its person signs out: a folder with the tokens, which is named for the attempt
/// at first, and for the process that leads the session once that is open.
///
/// `sshd` asks in a process of its own and opens the session in its parent; other applications do both in one process.
struct HostSession: Sendable {
    /// The folder of a host for all of them.
    static let place = "/run/countersign-pam"

    /// The folder.
    let path: String

    /// A new folder for the application that asks.
    ///
    /// - Throws: a ``CommandError`` when it cannot be made.
    init(asking head: PAMHead, by mint: CodeMint) throws(CommandError) {
        let process = try HostProcess(running: head.process).or(failure: "The application has gone.")
        let name = HostSessionName(
            .asking(process, parent: HostProcess(running: head.parent)), attempt: mint.digits(12))
        self.init(name)
        do {
            try PrivateDirectory(path: Self.place).make()
            try PrivateDirectory(path: path).make()
        } catch {
            throw CommandError("\(path) cannot be made: \(error).")
        }
    }

    /// The folder at a path.
    init(at path: String) {
        self.path = path
    }

    private init(_ name: HostSessionName) {
        path = "\(Self.place)/\(name)"
    }

    /// The tokens.
    var store: any TokenStore {
        SealedFileTokenStore(directory: path, clock: .system, drawingFrom: .system)
    }

    /// Whether the session goes on, as far as the application has said.
    var isOpen: Bool { FileStatus(at: path)?.kind == .directory && FileStatus(at: end) == nil }

    /// The file that says that the session is over.
    private var end: String { "\(path)/over" }

    /// Signs out, and removes the folder.
    func end(at configuration: PAMConfiguration) async {
        await PAMSigningIn.signOut(PAMSigningIn.tokens(in: store, for: configuration))
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The names of all folders.
    private static var names: [HostSessionName] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.sorted().compactMap(HostSessionName.init)
    }

    /// The sessions left from earlier attempts of an application that asks, and from applications that have gone.
    static func stale(for head: PAMHead) -> [HostSession] {
        guard let process = HostProcess(running: head.process) else { return [] }
        let parent = HostProcess(running: head.parent)
        return names.filter { $0.isStale(for: process, of: parent, isRunning: \.isRunning) }.map { HostSession($0) }
    }
}

extension HostSession {
    /// Takes the folder of the attempt that let the application in; `nil` where there is none.
    ///
    /// - Throws: a ``CommandError`` when it cannot be taken.
    private static func taken(by leader: HostProcess) throws(CommandError) -> HostSession? {
        guard let name = names.first(where: { $0.isAsked(by: leader) }) else { return nil }
        let session = HostSession(name.led(by: leader))
        do {
            try FileManager.default.moveItem(atPath: HostSession(name).path, toPath: session.path)
        } catch {
            throw CommandError("\(session.path) cannot be made: \(error).")
        }
        return session
    }

    /// Starts the watch over a session that begins; `unknown` where nothing is to be watched.
    ///
    /// - Throws: a ``CommandError`` when it does not start.
    static func watch(_ head: PAMHead, by rule: PAMServiceRule, configuredAt path: String) throws(CommandError)
        -> PAMVerdict
    {
        guard rule.endsWithSignOut, let leader = HostProcess(running: head.process),
            let session = try taken(by: leader)
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
        guard let leader = HostProcess(running: head.process),
            let name = names.first(where: { $0.owner == .leading(leader) })
        else { return .unknown }
        let session = HostSession(name)
        guard FileManager.default.createFile(atPath: session.end, contents: nil) else {
            throw CommandError("\(session.end) cannot be made.")
        }
        return .success
    }
}
