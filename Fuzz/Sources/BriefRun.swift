#if !LIBFUZZER
import Foundation

/// A run without libFuzzer, in the ordinary build: every input of the corpus, and for some seconds what these may become.
struct BriefRun {
    private let parser: Parser
    private var mutator: Mutator
    private let current: FileHandle
    private let kept: URL
    private var tried = 0

    /// The processor time that one input may take, in seconds.
    private static let longest = 5.0
    /// The memory that all may take, in bytes.
    private static let most = 1 << 30

    /// - Parameters:
    ///   - corpus: A folder of inputs.
    ///   - kept: The file of the input while it is tried, so that it is still there when the parser crashes.
    init(of parser: Parser, from corpus: URL, keepingIn kept: URL) throws {
        self.parser = parser
        self.kept = kept
        let files = try FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
        mutator = Mutator(of: try files.map { Array(try Data(contentsOf: $0)) })
        guard FileManager.default.createFile(atPath: kept.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        current = try FileHandle(forWritingTo: kept)
    }

    mutating func go(for span: Duration) throws {
        for input in mutator.inputs { try attempt(input) }
        let end = ContinuousClock.now + span
        repeat {
            for _ in 0..<20 { try attempt(mutator.next()) }
        } while ContinuousClock.now < end
        expect(Self.memory < Self.most, "the parser is content with a gigabyte")
        try FileManager.default.removeItem(at: kept)
        print("\(tried) inputs")
    }

    private mutating func attempt(_ input: [UInt8]) throws {
        try current.seek(toOffset: 0)
        try current.write(contentsOf: input)
        try current.truncate(atOffset: UInt64(input.count))
        let before = Self.processorTime
        parser.trial(input)
        // Not by the clock, which also runs while others have the processor.
        expect(Self.processorTime - before < Self.longest, "no input takes long")
        tried += 1
    }

    private static var usage: rusage {
        var usage = rusage()
        // RUSAGE_SELF, which is no number on every system.
        getrusage(0, &usage)
        return usage
    }

    private static var processorTime: Double {
        let time = usage.ru_utime
        return Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// The largest part of memory that the process has held, in bytes.
    private static var memory: Int { usage.ru_maxrss * 1024 }
}
#endif
