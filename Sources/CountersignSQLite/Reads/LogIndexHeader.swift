internal import GRDB
internal import GRDBSQLite

/// The header of the index of SQLite's log, in the memory that all processes share which have the database open. Each
/// commit of any of them writes it again.
///
/// Source: https://www.sqlite.org/walformat.html, "The WAL-Index Header".
struct LogIndexHeader {
    /// The contents of the header: two copies of the same 48 bytes, which differ only while it is being written.
    struct Content: Equatable {
        fileprivate let beginning: SIMD8<UInt64>
        fileprivate let rest: SIMD4<UInt64>
    }

    /// The format that is described there, the first four bytes of the header.
    private static let format: UInt32 = 3_007_000
    /// The size of each region of the index, in bytes.
    private static let regionSize: CInt = 32_768

    private let start: UnsafeRawPointer

    /// The header of a connection's database, as long as the connection is open; `nil` when it has no log, has not read
    /// anything yet, or the log has another format.
    init?(of database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var region: UnsafeMutableRawPointer?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        // The memory is part of version 2 of SQLite's files.
        guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            methods.pointee.xShmMap?(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region,
            region.load(as: UInt32.self) == Self.format
        else { return nil }
        start = UnsafeRawPointer(region)
    }

    /// The present contents of the header.
    var content: Content {
        Content(
            beginning: start.loadUnaligned(as: SIMD8<UInt64>.self),
            rest: start.loadUnaligned(fromByteOffset: 64, as: SIMD4<UInt64>.self)
        )
    }
}
