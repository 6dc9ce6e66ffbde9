internal import Countersign
internal import CountersignServer

/// Identifies the database file by more than its name.
///
/// A process that has the file open can still write to it after the file was removed or moved. Those writes would be
/// lost, and that would not be noticed before the next start.
struct DatabaseFileIdentity: Sendable {
    private let path: String
    private let identity: FileStatus.Identity?

    init(_ path: String) {
        self.path = path
        identity = FileStatus(following: path)?.identity
    }

    /// Makes sure that the file is still the one that was opened.
    ///
    /// - Throws: ``StoreUnavailable``; nothing was done.
    func check() throws {
        guard FileStatus(following: path)?.identity != identity else { return }
        throw StoreUnavailable(
            .notDone,
            reason: "the file \(path) was removed, or another one was put in its place. Put it back, or start again"
        )
    }
}
