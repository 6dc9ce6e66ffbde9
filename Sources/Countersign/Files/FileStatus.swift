#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The status of a file, as the system reports it: its kind, its permissions, its owner, and which file it is.
package struct FileStatus: Sendable, Equatable {
    /// The kind of a file.
    package enum Kind: Sendable, Hashable {
        case file, directory, characterDevice
        /// A link, a pipe, a socket or a block device.
        case other
    }

    package let kind: Kind
    /// The permission bits, with those for set-user-ID, set-group-ID and the sticky bit: `0o644`.
    package let permissions: Int
    /// The user who owns it.
    package let owner: UInt32
    /// The identity of the file, independent of its name.
    package let identity: Identity

    /// Identifies an existing file on the machine.
    package struct Identity: Sendable, Hashable {
        package let device: UInt64
        package let number: UInt64
    }

    /// Looks at a name, and follows links; `nil` when that fails, with the reason in `errno`.
    package init?(following path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Looks at a name itself, which may be a link; `nil` when that fails, with the reason in `errno`.
    package init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Looks at an open file; `nil` when that fails, with the reason in `errno`.
    package init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFCHR: .characterDevice
            default: .other
            }
        permissions = Int(status.st_mode & 0o7777)
        owner = status.st_uid
        identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }
}
