import Foundation

/// The chromedriver process of one browser, on a loopback port that it chose itself.
///
/// The browser it starts belongs to the same process group. A small shell stands over the group: it ends the
/// group and clears away its files when told so, and also when this process goes away without a word. No
/// browser outlives its test.
final class ChromeDriver: Sendable {
    let port: Int

    /// Holds the driver's log and the browser's profile.
    let folder: URL

    private let lifeline: ParentBoundProgram

    private init(port: Int, folder: URL, lifeline: ParentBoundProgram) {
        self.port = port
        self.folder = folder
        self.lifeline = lifeline
    }

    deinit { stop() }

    /// Starts chromedriver and returns as soon as it has named its port.
    static func start(_ executable: String) async throws -> ChromeDriver {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw WebDriverError.notStarted(
                "no program at \(executable): run `make test`, which installs what is missing, or name one by"
                    + " COUNTERSIGN_TEST_CHROMEDRIVER"
            )
        }
        // It takes a port that is free for IPv6 and then wants the same for IPv4, which may be taken.
        for _ in 0..<10 {
            if let driver = try await attempt(executable) { return driver }
        }
        throw WebDriverError.notStarted("found no port that is free for both IPv4 and IPv6")
    }

    /// Starts chromedriver once; `nil` when the port that it chose was not free.
    private static func attempt(_ executable: String) async throws -> ChromeDriver? {
        // A short name: the browser puts sockets below it, whose paths may have 107 bytes at most.
        let folder = FileManager.default.temporaryDirectory
            .appending(component: "countersign-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = folder.appending(component: "chromedriver.log")
        try Data().write(to: log)

        let lifeline = try ParentBoundProgram(
            "/bin/bash",
            ["-c", watch, "watch", folder.path, executable, "--port=0"],
            environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path, "HOME": folder.path]) {
                $1
            },
            printing: log
        )
        do {
            guard let port = try await port(namedIn: log) else {
                lifeline.cut()
                return nil
            }
            return ChromeDriver(port: port, folder: folder, lifeline: lifeline)
        } catch {
            lifeline.cut()
            throw error
        }
    }

    /// Ends the driver and its browser, whatever state they are in. A second call does nothing.
    func stop() { lifeline.cut() }

    /// A shell that runs a command in a process group of its own until the input ends; then it ends the group, and
    /// removes the folder.
    private static let watch = """
        folder=$1
        shift
        set -m
        { "$@"; echo "ended with $?"; } < /dev/null &
        group=$!
        read -r _
        kill -TERM -- "-$group" 2> /dev/null
        for _ in {1..40}; do
            kill -0 -- "-$group" 2> /dev/null || break
            sleep 0.05
        done
        kill -KILL -- "-$group" 2> /dev/null
        rm -rf -- "$folder"
        """

    /// The port that it names; `nil` when it could not have the one it chose.
    private static func port(namedIn log: URL) async throws -> Int? {
        for _ in 0..<2400 {
            let text = try String(contentsOf: log, encoding: .utf8)
            if let named = text.firstMatch(of: /started successfully on port (\d+)/), let port = Int(named.1) {
                return port
            }
            if text.contains("ended with ") {
                guard text.contains("Address already in use") else { throw WebDriverError.notStarted(text) }
                return nil
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw WebDriverError.notStarted("named no port within two minutes; it said: \(text)")
    }
}
