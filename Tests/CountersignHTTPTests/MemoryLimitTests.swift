import Testing

@testable import CountersignHTTP

/// Standard: cgroups(7), proc_meminfo(5).
@Suite("The limit of memory")
struct MemoryLimitTests {
    private static let machine = "MemTotal:       16318256 kB\nMemFree:         1000000 kB\n"
    private static let ofMachine = 16_318_256 * 1_024

    private func limit(asked: Int? = nil, _ files: [String: String]) -> Int {
        MemoryLimit(asked: asked) { files[$0] }.bytes
    }

    @Test func `is that of the control group`() {
        let files = [
            "/proc/self/cgroup": "0::/system.slice/countersign.service\n",
            "/sys/fs/cgroup/system.slice/countersign.service/memory.max": "268435456\n",
            "/sys/fs/cgroup/system.slice/memory.max": "max\n",
            "/proc/meminfo": Self.machine,
        ]
        #expect(limit(files) == 256 << 20)
    }

    @Test func `is that of a group around it, or of the container, when that is smaller`() {
        let around = [
            "/proc/self/cgroup": "0::/a.slice/b\n",
            "/sys/fs/cgroup/a.slice/b/memory.max": "4000000000\n",
            "/sys/fs/cgroup/a.slice/memory.max": "2000000000\n",
            "/proc/meminfo": Self.machine,
        ]
        #expect(limit(around) == 2_000_000_000)
        let container = ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "536870912\n"]
        #expect(limit(container) == 512 << 20)
    }

    @Test func `is that of a group of the first version`() {
        let files = [
            "/proc/self/cgroup": "12:cpu,cpuacct:/\n11:memory:/docker/abc\n1:name=systemd:/docker/abc\n0::/\n",
            "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "536870912\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "/proc/meminfo": Self.machine,
        ]
        #expect(limit(files) == 512 << 20)
    }

    @Test func `is the memory of the machine when no group has one`() {
        #expect(limit(["/proc/meminfo": Self.machine]) == Self.ofMachine)
        let unlimited = [
            "/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "max\n", "/proc/meminfo": Self.machine,
        ]
        #expect(limit(unlimited) == Self.ofMachine)
    }

    @Test func `is what was asked for, unless a group allows less`() {
        let files = [
            "/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "268435456\n",
            "/proc/meminfo": Self.machine,
        ]
        #expect(limit(asked: 160 << 20, files) == 160 << 20)
        #expect(limit(asked: 512 << 20, files) == 256 << 20)
        #expect(limit(asked: 1 << 40, ["/proc/meminfo": Self.machine]) == 1 << 40)
    }

    @Test(arguments: ["", "\n", "0:", "0::", "::::", "0::/a\n0::/b", "x:memory:/../..", "MemTotal:", "MemTotal: x kB"])
    func `is something even where the system says nothing that can be read`(text: String) {
        #expect(limit([:]) == 1 << 30)
        #expect(limit(["/proc/self/cgroup": text, "/proc/meminfo": text]) == 1 << 30)
    }

    @Test(arguments: [
        ("1", 1), ("512M", 512 << 20), ("512m", 512 << 20), ("2G", 2 << 30), ("64K", 65_536), ("268435456", 256 << 20),
    ])
    func `is read as bytes, or with a unit`(text: String, bytes: Int) {
        #expect(MemoryLimit.bytes(parsing: text) == bytes)
    }

    @Test(arguments: ["", "M", "-1", "1.5G", "1T", "1 G", "99999999999999999999", "9999999999999G", "٣M", "0x10"])
    func `is read from no text that is malformed`(text: String) {
        #expect(MemoryLimit.bytes(parsing: text) == nil)
    }

    @Test func `is divided among the process, passwords and connections`() {
        for megabytes in [160, 256, 512, 1_024, 4_096, 65_536] {
            let limit = MemoryLimit(bytes: megabytes << 20)
            #expect(limit.passwordsAtOnce == (megabytes < 512 ? 1 : 2))
            #expect(limit.room >= MemoryLimit.leastRoom)
            guard megabytes >= 256 else { continue }
            let all = MemoryLimit.process + limit.passwordsAtOnce * MemoryCost.passwordHash + limit.room
            #expect(all < limit.bytes)
        }
        #expect(MemoryLimit(bytes: 1 << 30).room / MemoryCost.connection == 20_024)
    }

    @Test func `leaves room for no more connections than there are files`() {
        let limit = MemoryLimit(bytes: 4 << 30)
        #expect(limit.room(forAtMost: 1_000, isEncrypted: false) == 1_000 * MemoryCost.connection)
        #expect(
            limit.room(forAtMost: 1_000, isEncrypted: true) == 1_000 * (MemoryCost.connection + MemoryCost.encryption))
        #expect(limit.room(forAtMost: .max, isEncrypted: true) == limit.room)
    }
}
