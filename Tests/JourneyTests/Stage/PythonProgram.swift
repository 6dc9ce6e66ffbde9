import Foundation
import NIOConcurrencyHelpers

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
    /// - Parameter answer: What to say to a line of the program; `nil` for one that wants no answer.
    func run(
        with environment: [String: String],
        advancing advance: @Sendable (Duration) -> Void,
        answering answer: @Sendable (String) async -> String? = { _ in nil }
    ) async throws -> Ended {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = try Self.interpreter()
        process.arguments = ["-B", "-X", "utf8", Self.folder.appending(component: "\(name).py").path]
        // No more than this: neither a proxy nor anybody's own packages have a part in it.
        process.environment = environment.merging(["PATH": "/usr/bin:/bin", "NO_PROXY": "*"]) { ours, _ in ours }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        let (ends, ending) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            ending.yield(process.terminationStatus)
            ending.finish()
        }
        let lines = Self.lines(from: output.fileHandleForReading)
        try process.run()
        let id = process.processIdentifier

        return try await withTaskCancellationHandler {
            var said: [String] = []
            for await line in lines {
                if let seconds = line.wholeMatch(of: /advance (\d+)/).flatMap({ Int($0.1) }) {
                    advance(.seconds(seconds))
                    try? input.fileHandleForWriting.write(contentsOf: Data("advanced\n".utf8))
                } else if let answer = await answer(line) {
                    try? input.fileHandleForWriting.write(contentsOf: Data("\(answer)\n".utf8))
                } else {
                    said.append(line)
                }
            }
            var status: Int32 = -1
            for await end in ends { status = end }
            try Task.checkCancellation()
            return Ended(status: status, output: said.joined(separator: "\n"))
        } onCancel: {
            kill(id, SIGTERM)
        }
    }

    /// The lines that arrive until the other end is closed.
    private static func lines(from handle: FileHandle) -> AsyncStream<String> {
        let (lines, arriving) = AsyncStream.makeStream(of: String.self)
        let rest = NIOLockedValueBox(Data())
        handle.readabilityHandler = { handle in
            let data = handle.availableData
            rest.withLockedValue { rest in
                rest.append(data)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    arriving.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
                guard data.isEmpty else { return }
                if !rest.isEmpty { arriving.yield(String(decoding: rest, as: UTF8.self)) }
                handle.readabilityHandler = nil
                arriving.finish()
            }
        }
        return lines
    }

    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(component: "Clients")

    private static func interpreter() throws -> URL {
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
