import Foundation

/// Gives parsers what no client should send. A parser passes when it does not crash and what it promises holds; see
/// `Parser.all`.
///
///     Fuzz                                          lists the parsers
///     Fuzz PARSER briefly SECONDS CORPUS KEPT       each input of the corpus, then what these may become
///     Fuzz PARSER [OPTION OF LIBFUZZER | CORPUS]…   what libFuzzer makes up, in the build for `make fuzz`
@main
enum Fuzz {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard let parser = Parser.all.first(where: { $0.name == words.first }) else {
            for parser in Parser.all { print(parser.name) }
            return
        }
        #if LIBFUZZER
        LibFuzzer.drive()
        #else
        let options = Array(words.dropFirst())
        guard options.count == 4, options[0] == "briefly", let seconds = Int(options[1]) else {
            print("Usage: Fuzz PARSER briefly SECONDS CORPUS KEPT")
            exit(64)
        }
        var run = try BriefRun(
            of: parser,
            from: URL(fileURLWithPath: options[2]),
            keepingIn: URL(fileURLWithPath: options[3])
        )
        try run.go(for: .seconds(seconds))
        #endif
    }
}
