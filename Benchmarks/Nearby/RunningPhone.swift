internal import Foundation

/// A ``LinkPhone`` on one host, and the screens that it signs in on the other.
struct RunningPhone {
    let lan: Lan
    /// The port that it listens on.
    let port: String
    private let program: TimedProgram

    /// Starts it, and returns when its announcements are over.
    init(on lan: Lan) throws {
        let start = "listening "
        let program = try lan.start([CommandLine.arguments[0], "link-phone"], on: .b)
        guard let line = program.line(within: 20, where: { $0.hasPrefix(start) }) else {
            program.stop(SIGKILL)
            throw BenchmarkFailure("The phone does not listen.")
        }
        usleep(4_500_000)
        self.lan = lan
        self.port = String(line.text.dropFirst(start.count))
        self.program = program
    }

    /// Starts a new ``LinkScreen``, and types the code that it shows.
    ///
    /// - Parameter options: Its options.
    /// - Returns: The screen, which still runs, and how its first sign-in went.
    func signIn(_ options: String...) throws -> (screen: TimedProgram, run: LinkRun?) {
        let screen = try lan.start([CommandLine.arguments[0], "link-screen"] + options, on: .a)
        if let code = screen.line(within: 30, where: { $0.hasPrefix("code ") }) {
            program.type(String(code.text.dropFirst(5)))
        }
        return (screen, LinkRun(named: LinkScreen.first, of: screen))
    }

    func stop() {
        program.stop(SIGKILL)
    }
}
