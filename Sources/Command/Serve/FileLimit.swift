internal import CountersignServer
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How many files, and so connections, the system lets this process have.
enum FileLimit {
    /// Kept for the database and everything else that is no connection.
    private static let reserve = 128

    /// As many connections as were asked for (otherwise as is usual), but no more than there can be. When files run
    /// out, the database fails as well; so it must not come to that.
    static func connections(asked: Int?) -> Int {
        min(asked ?? ConnectionLimits().most, max(16, raised() - reserve))
    }

    /// Lets this process have as many files as the system allows it, and says how many.
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
