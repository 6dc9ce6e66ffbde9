import Testing

@testable import CountersignCommand

@Suite("The code that only the start needs")
struct StartupCodeTests {
    @Test(arguments: [
        (
            "55d0a000-55d0c000 r-xp 00000000 fe:00 5580294                    /usr/bin/countersign\n",
            0x55d0a000..<0x55d0c000
        ),
        (
            "7f0000001000-7f0000002000 r-xp 00001000 08:01 12 /usr/lib/a library.so\n",
            0x7f00_0000_1000..<0x7f00_0000_2000
        ),
    ])
    func `is what is mapped from a file to be run`(line: String, addresses: Range<UInt>) {
        #expect(StartupCode.code(in: line) == addresses)
    }

    @Test(arguments: [
        "55d0c000-55d0d000 r--p 00002000 fe:00 5580294 /usr/bin/countersign",
        "7ffd000-7ffe000 r-xp 00000000 00:00 0 [vdso]",
        "55d0d000-55d0e000 rw-p 00003000 fe:00 5580294 /usr/bin/countersign", "7f00-7f01 r-xp 00000000 00:00 0", "",
        "x-y r-xp 0 0 0 /usr/bin/countersign", "2000-1000 r-xp 0 0 0 /usr/bin/countersign",
        "1000-2000 rwxp 0 0 0 /usr/bin/countersign",
    ])
    func `is nothing else`(line: String) {
        #expect(StartupCode.code(in: line) == nil)
    }

    @Test func `is released by a program that goes on`() {
        for _ in 0..<3 { StartupCode.release() }
        #expect((0..<1_000).reduce(0, +) == 499_500)
    }
}
