#if LIBFUZZER
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ try: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The run by libFuzzer, which watches what each input reaches.
enum LibFuzzer {
    /// Runs it on the parser that the command line names, with the rest of the command line as its options.
    static func drive() {
        // Without the parser's name, which it would take for a corpus.
        drive(CommandLine.argc - 1, CommandLine.unsafeArgv + 1)
    }

    private static func drive(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        var count = count
        var arguments = arguments
        _ = runDriver(&count, &arguments, tryInput)
    }

    /// The parser that was asked for; libFuzzer's call takes no context.
    fileprivate static let parser = Parser.all.first { CommandLine.arguments.dropFirst().first == $0.name }
}

private func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    LibFuzzer.parser?.trial(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
#endif
