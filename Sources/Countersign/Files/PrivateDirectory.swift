#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A directory of small files that only this user can read: sealed tokens, their key, pairings.
package struct PrivateDirectory: Sendable {
    /// The longest file that is read unless a reader says otherwise, 4 MiB.
    package static let longestFile = 1 << 22

    package let path: String

    package init(path: String) { self.path = path }

    /// The directory of the file at `path`, and the name of the file in it.
    package static func containing(fileAt path: String) -> (directory: PrivateDirectory, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (PrivateDirectory(path: "."), path) }
        let above = slash == path.startIndex ? "/" : String(path[..<slash])
        return (PrivateDirectory(path: above), String(path[path.index(after: slash)...]))
    }

    /// The bytes of a file; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - refusesExposed: Whether a file that other users can read is refused, since its secrets may be known.
    ///   - longest: The longest file that is read, in bytes.
    package func read(
        _ name: String,
        refusesExposed: Bool = false,
        upTo longest: Int = Self.longestFile
    ) throws(PrivateFileError) -> [UInt8]? {
        // Not blocking: another object in place of the file, such as a pipe, must not block the reader.
        let file = open(at(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(.notRead, name)
        }
        defer { close(file) }
        guard let status = FileStatus(of: file) else { throw failure(.notRead, name) }
        guard status.kind == .file else { throw PrivateFileError(.notRead, because: "\(at(name)) is no file") }
        if refusesExposed, status.isExposed(at: at(name)) {
            throw PrivateFileError(.exposed, because: "\(at(name)) can be read by others; chmod 600 makes it private")
        }
        return try contents(of: file, named: name, upTo: longest)
    }

    /// Puts a file in place of another in one step, on disk before this returns. One caller at a time may do so.
    package func replace(_ name: String, by bytes: [UInt8]) throws(PrivateFileError) {
        try make()
        let new = "\(name).new"
        // A file by that name was left behind by an interrupted process.
        unlink(at(new))
        let file = open(at(new), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(.notWritten, new) }
        do throws(PrivateFileError) {
            defer { close(file) }
            try write(bytes, to: file, named: new)
            guard synchronize(file), rename(at(new), at(name)) == 0 else { throw failure(.notWritten, name) }
        } catch {
            unlink(at(new))
            throw error
        }
        try synchronize(directory: path)
    }

    /// Makes a new file, whole from its first moment; `false` when one with that name exists.
    package func create(_ name: String, holding bytes: [UInt8]) throws(PrivateFileError) -> Bool {
        try make()
        var template = Array("\(at(name)).XXXXXX".utf8CString)
        // Under a unique name, and with mode 0600 from its creation.
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure(.notWritten, name) }
        defer {
            unlink(template)
            close(file)
        }
        try write(bytes, to: file, named: name)
        guard synchronize(file) else { throw failure(.notWritten, name) }
        guard link(template, at(name)) == 0 else {
            if errno == EEXIST { return false }
            throw failure(.notWritten, name)
        }
        try synchronize(directory: path)
        return true
    }

    /// Removes a file, on disk before this returns; no such file is no error.
    package func remove(_ name: String) throws(PrivateFileError) {
        guard unlink(at(name)) == 0 else {
            if errno == ENOENT { return }
            throw failure(.notRemoved, name)
        }
        try synchronize(directory: path)
    }

    /// Whether an entry with that name exists.
    package func has(_ name: String) -> Bool { FileStatus(at: at(name)) != nil }

    /// The names of all entries; none when there is no directory.
    package func names() throws(PrivateFileError) -> [String] {
        guard let entries = opendir(path) else {
            if errno == ENOENT { return [] }
            throw failure(.notRead, path)
        }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the directory with mode 0700, and its parents with the umask's. An existing one is unchanged.
    package func make() throws(PrivateFileError) {
        guard !isDirectory(path) else { return }
        var above = path.hasPrefix("/") ? "/" : "."
        let parts = path.split(separator: "/")
        for (place, part) in parts.enumerated() {
            let next = above == "/" ? "/\(part)" : "\(above)/\(part)"
            if mkdir(next, place == parts.count - 1 ? 0o700 : 0o777) == 0 {
                try synchronize(directory: above)
            } else if !isDirectory(next) {
                throw failure(.notWritten, next)
            }
            above = next
        }
    }

    /// Finds out, without writing, whether this user can make files in the directory, and the directory where there is none.
    package func tried() throws(PrivateFileError) {
        var place = path
        while true {
            if let status = FileStatus(following: place) {
                guard status.kind == .directory else {
                    throw PrivateFileError(.notWritten, because: "\(place) is no directory")
                }
                guard access(place, W_OK | X_OK) == 0 else { throw failure(.notWritten, place) }
                return
            }
            guard errno == ENOENT else { throw failure(.notWritten, place) }
            let above = Self.containing(fileAt: place).directory.path
            guard above != place else { throw PrivateFileError(.notWritten, because: "\(place) is not there") }
            place = above
        }
    }

    /// The path of a file.
    package func at(_ name: String) -> String { "\(path)/\(name)" }
}

extension PrivateDirectory {
    /// Whether there is a directory at `path`; preserves `errno`.
    private func isDirectory(_ path: String) -> Bool {
        let reason = errno
        defer { errno = reason }
        return FileStatus(following: path)?.kind == .directory
    }

    private func contents(of file: CInt, named name: String, upTo longest: Int) throws(PrivateFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            #if canImport(Glibc)
            let count = Glibc.read(file, &buffer, buffer.count)
            #elseif canImport(Musl)
            let count = Musl.read(file, &buffer, buffer.count)
            #else
            let count = Darwin.read(file, &buffer, buffer.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(.notRead, name) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= longest else { throw PrivateFileError(.tooLong, because: "\(at(name)) is too long") }
        }
    }

    private func write(_ bytes: [UInt8], to file: CInt, named name: String) throws(PrivateFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { part in
                #if canImport(Glibc)
                Glibc.write(file, part.baseAddress, part.count)
                #elseif canImport(Musl)
                Musl.write(file, part.baseAddress, part.count)
                #else
                Darwin.write(file, part.baseAddress, part.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(.notWritten, name) }
            rest = rest.dropFirst(count)
        }
    }

    /// Syncs the bytes of a file to disk; returns whether it succeeded.
    private func synchronize(_ file: CInt) -> Bool {
        #if canImport(Darwin)
        // The drive's own memory, too, where the file system can do that.
        if fcntl(file, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(file) == 0
    }

    /// Puts on disk which files a directory has.
    private func synchronize(directory path: String) throws(PrivateFileError) {
        let directory = open(path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure(.notWritten, path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure(.notWritten, path) }
    }

    private func failure(_ code: PrivateFileError.Code, _ name: String) -> PrivateFileError {
        PrivateFileError(code, because: "\(name): \(String(cString: strerror(errno)))")
    }
}
