@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ try: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Feeds libFuzzer's inputs to a parser: `Fuzz PARSER [OPTION OF LIBFUZZER | CORPUS]…`; without one, lists them.
///
/// A parser passes when it does not crash and what it promises holds; see `Parser.all`.
@main
enum Fuzz {
    /// The chosen parser; libFuzzer's callback has no context.
    private static let parser = Parser.all.first { CommandLine.arguments.dropFirst().first == $0.name }

    static func main() {
        guard parser != nil else {
            for parser in Parser.all { print(parser.name) }
            return
        }
        drive(CommandLine.argc - 1, CommandLine.unsafeArgv + 1)
    }

    /// Runs libFuzzer without the parser's name, which it would take for a corpus.
    private static func drive(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        var count = count
        var arguments = arguments
        _ = runDriver(&count, &arguments, tryInput)
    }

    fileprivate static func tryParser(_ bytes: [UInt8]) {
        parser?.trial(bytes)
    }
}

private func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzz.tryParser(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
