package import Foundation

/// The programs that were built with the tests.
package enum BuiltPrograms {
    /// Our own command: as `make test` names it, or where `swift build` puts it.
    package static let command: URL = {
        if let path = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_COMMAND"] {
            return URL(fileURLWithPath: path).absoluteURL
        }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(".build/debug/countersign")
    }()

    /// The folder of all of them: that of the command.
    package static let folder = command.deletingLastPathComponent()
}
