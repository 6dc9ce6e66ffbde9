#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A directory of small files that only this user can read.
struct PrivateDirectory: Sendable {
    /// More than any file here has.
    private static let longestFile = 1 << 20

    let path: String

    /// The bytes of a file; `nil` when there is none.
    func read(_ name: String) throws -> [UInt8]? {
        let file = open(at(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(.notRead, name)
        }
        defer { close(file) }
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
            guard bytes.count <= Self.longestFile else {
                throw TokenStoreError(.damaged, because: "\(at(name)) is too long")
            }
        }
    }

    /// Puts a file in place of another in one step, on disk before this returns.
    func replace(_ name: String, by bytes: [UInt8]) throws {
        try make()
        var template = Array("\(at(name)).XXXXXX".utf8CString)
        // Makes the file under a name that nobody has, and with mode 0600 from its first moment.
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure(.notWritten, name) }
        defer { close(file) }
        do {
            try write(bytes, to: file, named: name)
            guard fsync(file) == 0, rename(&template, at(name)) == 0 else { throw failure(.notWritten, name) }
        } catch {
            unlink(&template)
            throw error
        }
        try synchronize()
    }

    /// Removes a file, on disk before this returns; no such file is no error.
    func remove(_ name: String) throws {
        guard unlink(at(name)) == 0 else {
            if errno == ENOENT { return }
            throw failure(.notRemoved, name)
        }
        try synchronize()
    }

    private func at(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes the directory, private, and those above it, as the user wants them. One that is there stays as it is.
    private func make() throws {
        var above = ""
        for part in path.split(separator: "/").dropLast() {
            above += (above.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            if mkdir(above, 0o777) != 0, errno != EEXIST { throw failure(.notWritten, above) }
        }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure(.notWritten, path) }
    }

    private func write(_ bytes: [UInt8], to file: CInt, named name: String) throws {
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

    /// Puts on disk which files the directory has.
    private func synchronize() throws {
        let directory = open(path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure(.notWritten, path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure(.notWritten, path) }
    }

    private func failure(_ code: TokenStoreError.Code, _ name: String) -> TokenStoreError {
        TokenStoreError(code, because: "\(name): \(String(cString: strerror(errno)))")
    }
}
