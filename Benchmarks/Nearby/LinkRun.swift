/// The times of the parts of one sign-in, in seconds, as ``LinkScreen`` prints them.
struct LinkRun {
    /// From the start of the search until the phone was found; if it is paired, until it was recognized.
    let found: Double
    /// From there until its first sealed answer.
    let linked: Double
    /// From there until its grant.
    let granted: Double

    /// The end of the line that ``init(named:of:)`` reads.
    var text: String { "granted \(found) \(linked) \(granted)" }
}

extension LinkRun {
    /// Reads how a sign-in went; `nil` when it did not end with a grant.
    ///
    /// - Parameters:
    ///   - name: The name of the sign-in.
    ///   - screen: The program that signs in.
    init?(named name: String, of screen: TimedProgram) {
        guard let line = screen.line(within: 40, where: { $0.hasPrefix("\(name) ") })?.text else { return nil }
        let spans = line.split(separator: " ").dropFirst(2).compactMap { Double($0) }
        guard line.hasPrefix("\(name) granted "), spans.count == 3 else {
            Progress.note(line)
            return nil
        }
        self.init(found: spans[0], linked: spans[1], granted: spans[2])
    }
}
