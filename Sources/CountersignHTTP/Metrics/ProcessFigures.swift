internal import Foundation

/// Metrics of this process from the system: memory, time, open files. Empty on systems other than Linux.
///
/// The names are those of Prometheus' own libraries.
enum ProcessFigures {
    static func write(to text: inout PrometheusText) {
        func add(_ name: String, _ kind: String, _ help: String, _ value: Double) {
            text.begin(name, kind, help)
            text.add(name, Labels([]), PrometheusText.number(value))
        }
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        // The name is in parentheses and may hold anything; the numbers begin with the third field, after it.
        if let fields = lines("/proc/self/stat")?.first?.split(separator: ")").last?.split(separator: " "),
            fields.count > 21
        {
            if let user = Double(fields[11]), let system = Double(fields[12]) {
                add("process_cpu_seconds_total", "counter", "Processor time used.", (user + system) / ticks)
            }
            if let started = Double(fields[19]), let boot = bootTime {
                let time = boot + started / ticks
                add("process_start_time_seconds", "gauge", "Start of the process, as Unix time.", time)
            }
            if let virtual = Double(fields[20]) {
                add("process_virtual_memory_bytes", "gauge", "Address space in use.", virtual)
            }
            if let pages = Double(fields[21]) {
                let size = Double(sysconf(Int32(_SC_PAGESIZE)))
                add("process_resident_memory_bytes", "gauge", "Memory in use.", pages * size)
            }
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            add("process_open_fds", "gauge", "Files and connections that are open.", Double(open))
        }
        var limit = rlimit()
        #if os(Linux)
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        #else
        let isKnown = getrlimit(RLIMIT_NOFILE, &limit) == 0
        #endif
        if isKnown {
            add("process_max_fds", "gauge", "The most files and connections that may be open.", Double(limit.rlim_cur))
        }
    }

    private static let bootTime = lines("/proc/stat")?.first { $0.hasPrefix("btime ") }.flatMap {
        Double($0.dropFirst(6))
    }

    private static func lines(_ path: String) -> [Substring]? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    }
}
