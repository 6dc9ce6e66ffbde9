internal import CountersignServer
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The number of files, and so of connections, that the system allows this process.
enum FileLimit {
    /// The number of files that are reserved for the database, for everything else but connections, and for health
    /// checks.
    private static let reserve = 128 + AuthorizationServer.mostForOperations

    /// The number of connections that there are files for. The database fails too when the process runs out of them.
    static func connections() -> Int { max(16, raised() - reserve) }

    /// Raises the limit of open files as far as the system allows, and returns it.
    ///
    /// Standard: setrlimit(2).
    private static func raised() -> Int {
        #if canImport(Glibc)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let files = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return 1_024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(files, &limit) != 0 { limit.rlim_cur = soft }
        return Int(clamping: limit.rlim_cur)
    }
}
