/// The PAM stack of a service, with the files that it includes.
struct PAMStack: Sendable {
    let path: String
    let lines: [PAMStackLine]

    /// The name of the module in a line.
    static let module = "pam_countersign.so"

    /// Reads the stack of a service; `nil` where there is none.
    init?(of service: String, in files: PAMCheck.Files) {
        path = "/etc/pam.d/\(service)"
        guard let lines = Self.lines(of: path, in: files) else { return nil }
        self.lines = lines.compactMap { PAMStackLine($0.words, depth: $0.depth) }
    }

    /// Whether the service asks for the approval of a person.
    var asks: Bool { !places(of: "auth").isEmpty }

    /// The lines of a type.
    func lines(of type: String) -> [PAMStackLine] { lines.filter { $0.type == type } }

    /// The lines of a type that follow one of its places, as jumps from there count them: those of the same substack, and
    /// each substack in it as one.
    func lines(of type: String, after place: Int) -> [PAMStackLine] {
        let lines = lines(of: type)
        let depth = lines[place].depth
        return lines[(place + 1)...].prefix { $0.depth >= depth }.filter { $0.depth == depth }
    }

    /// The places of the module among the lines of a type.
    func places(of type: String) -> [Int] { places(of: Self.module, among: type) }

    /// The places of a module among the lines of a type.
    func places(of module: String, among type: String) -> [Int] {
        lines(of: type).enumerated().filter { $0.element.module.hasSuffix(module) }.map(\.offset)
    }

    /// A line of a file in words, with the number of substacks in which it stands.
    private typealias Words = (words: [Substring], depth: Int)

    /// The lines of a file, with those of the files that it includes; `nil` where there is no file.
    ///
    /// - Parameters:
    ///   - count: The number of files that included it.
    ///   - depth: The number of substacks in which it stands.
    private static func lines(
        of path: String, in files: PAMCheck.Files, includedBy count: Int = 0, depth: Int = 0
    ) -> [Words]? {
        guard count < 8, let text = files.text(path) else { return nil }
        return text.replacing("\\\n", with: " ").split(whereSeparator: \.isNewline).flatMap { line -> [Words] in
            let words = PAMStackLine.words(of: line)
            guard let first = words.first else { return [] }
            let isWhole = first.lowercased() == "@include"
            let isSubstack = words.count > 2 && words[1].lowercased() == "substack"
            let isPart = isSubstack || words.count > 2 && words[1].lowercased() == "include"
            guard isWhole || isPart, let name = words.dropFirst(isWhole ? 1 : 2).first else { return [(words, depth)] }
            let place = name.hasPrefix("/") ? String(name) : "/etc/pam.d/\(name)"
            let included =
                lines(of: place, in: files, includedBy: count + 1, depth: isSubstack ? depth + 1 : depth) ?? []
            guard !isWhole else { return included }
            let type = PAMStackLine.type(of: words)
            return (isSubstack ? [(words, depth)] : []) + included.filter { PAMStackLine.type(of: $0.words) == type }
        }
    }
}
