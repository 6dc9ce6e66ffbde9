import Foundation
import TestShell

/// A program in the folder Clients, written with somebody else's libraries.
///
/// It learns from its environment who takes part. The line `advance 5` from it lets five seconds pass at the server and
/// is answered by `advanced`; everything else that it prints is kept for whoever has to find out why it failed.
struct PythonProgram: Sendable {
    let name: String

    struct Ended: Sendable {
        let status: Int32
        let output: String
    }

    struct NoPython: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs the program to its end; cancelling the task ends it.
    ///
    /// - Parameter answer: The answer to a line of the program; `nil` for a line that wants none.
    func run(
        with environment: [String: String],
        advancing advance: @Sendable (Duration) -> Void,
        answering answer: @Sendable (String) async -> String? = { _ in nil }
    ) async throws -> Ended {
        let (input, output) = try (LocalPipe(), LocalPipe())
        let program = try RunningProgram(
            Self.interpreter().path,
            arguments,
            environment: Self.surroundings(environment),
            reading: .descriptor(input.readEnd),
            printing: .descriptor(output.writeEnd)
        )
        input.closeReadEnd()
        output.closeWriteEnd()

        return try await withTaskCancellationHandler {
            var said: [String] = []
            for await line in output.lines {
                if let seconds = line.wholeMatch(of: /advance (\d+)/).flatMap({ Int($0.1) }) {
                    advance(.seconds(seconds))
                    input.write("advanced\n")
                } else if let answer = await answer(line) {
                    input.write("\(answer)\n")
                } else {
                    said.append(line)
                }
            }
            let status = try await program.ended()
            try Task.checkCancellation()
            return Ended(status: status ?? -1, output: said.joined(separator: "\n"))
        } onCancel: {
            program.signal(SIGTERM)
        }
    }

    /// Starts the program, which runs until the test ends it.
    func start(with environment: [String: String], printingTo log: URL) throws -> LoggedProgram {
        try LoggedProgram(
            Self.interpreter().path, arguments, environment: Self.surroundings(environment), printingTo: log)
    }

    private var arguments: [String] { ["-B", "-X", "utf8", Self.folder.appending(component: "\(name).py").path] }

    /// No more than this: neither a proxy nor anybody's own packages have a part in it.
    private static func surroundings(_ environment: [String: String]) -> [String: String] {
        environment.merging(["PATH": "/usr/bin:/bin", "NO_PROXY": "*"]) { ours, _ in ours }
    }

    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(component: "Clients")

    /// The interpreter of the environment with the packages of others.
    ///
    /// - Throws: ``NoPython`` when there is none.
    static func interpreter() throws -> URL {
        let named = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_PYTHON"]
        let python = named.map { URL(filePath: $0) } ?? package.appending(path: ".build/venv/bin/python")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw NoPython(
                description: "There is no Python with the clients of others at \(python.path): run `make test`, which"
                    + " installs them, or name one by COUNTERSIGN_TEST_PYTHON."
            )
        }
        return python
    }
}
