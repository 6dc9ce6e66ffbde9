#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import CountersignServer

/// Identifies the database file by more than its name.
///
/// A process that has the file open can still write to it after the file was removed or moved. Those writes would be
/// lost, and that would not be noticed before the next start.
struct DatabaseFileIdentity: Sendable {
    private struct Identity: Sendable, Equatable {
        let device: UInt64
        let number: UInt64
    }

    private let path: String
    private let identity: Identity?

    init(_ path: String) {
        self.path = path
        identity = Self.identity(of: path)
    }

    /// Makes sure that the file is still the one that was opened.
    ///
    /// - Throws: ``StoreUnavailable``; nothing was done.
    func check() throws {
        guard Self.identity(of: path) != identity else { return }
        throw StoreUnavailable(
            .notDone,
            reason: "the file \(path) was removed, or another one was put in its place. Put it back, or start again"
        )
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }
}
