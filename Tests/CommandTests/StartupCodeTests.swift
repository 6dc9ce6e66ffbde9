import Testing

@testable import CountersignCommand

@Suite("The code that only the start needs")
struct StartupCodeTests {
    /// What the list of mappings says of one, as far as it counts here.
    private static func lines(_ head: String, anonymous: Int = 0, swap: Int = 0) -> [String] {
        [
            "\(head)\n", "Size:                 64 kB\n", "Rss:                  16 kB\n",
            "Anonymous:       \(anonymous) kB\n", "AnonHugePages:         0 kB\n", "Swap:            \(swap) kB\n",
            "SwapPss:               0 kB\n", "VmFlags: rd ex mr mw me\n",
        ]
    }

    private func released(_ lines: [String]) -> [Range<UInt>] {
        var mappings = StartupCode.Mappings()
        return lines.compactMap { mappings.read($0) }
    }

    @Test(arguments: [
        (
            "55d0a000-55d0c000 r-xp 00000000 fe:00 5580294                    /usr/bin/countersign",
            0x55d0a000..<0x55d0c000
        ),
        (
            "7f0000001000-7f0000002000 r--p 00001000 08:01 12 /usr/lib/a library: old.so",
            0x7f00_0000_1000..<0x7f00_0000_2000
        ),
    ])
    func `is what is mapped from a file and never written`(head: String, addresses: Range<UInt>) {
        #expect(released(Self.lines(head)) == [addresses])
        #expect(
            released(Self.lines(head) + Self.lines(head, anonymous: 4) + Self.lines(head)) == [addresses, addresses])
    }

    @Test(arguments: [
        "7ffd000-7ffe000 r-xp 00000000 00:00 0 [vdso]",
        "55d0d000-55d0e000 rw-p 00003000 fe:00 5580294 /usr/bin/countersign", "7f00-7f01 r-xp 00000000 00:00 0", "",
        "x-y r-xp 0 0 0 /usr/bin/countersign", "2000-1000 r-xp 0 0 0 /usr/bin/countersign",
        "1000-2000 rwxp 0 0 0 /usr/bin/countersign", "1000-2000 r--s 0 0 0 /usr/share/shared",
    ])
    func `is nothing else`(head: String) {
        #expect(released(Self.lines(head)) == [])
    }

    /// The dynamic linker wrote addresses into some pages, and made them read-only afterwards.
    @Test(arguments: [(4, 0), (0, 4), (8, 8)])
    func `is nothing that would be lost`(anonymous: Int, swap: Int) {
        let head = "55d0c000-55d0d000 r--p 00002000 fe:00 5580294 /usr/bin/countersign"
        #expect(released(Self.lines(head, anonymous: anonymous, swap: swap)) == [])
    }

    @Test func `is released by a program that goes on`() {
        for _ in 0..<3 { StartupCode.release() }
        #expect((0..<1_000).reduce(0, +) == 499_500)
    }
}
