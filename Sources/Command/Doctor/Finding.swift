/// The result of a check of one thing.
struct Finding: Encodable, Sendable {
    enum Grade: String, Encodable, Sendable {
        /// No defect.
        case fine = "ok"
        /// Worth knowing; nothing need be done.
        case notice = "note"
        /// Wrong, or soon to be.
        case problem = "wrong"
    }

    let grade: Grade
    /// The subject of the check, in a word or two.
    let subject: String
    let finding: String
    /// The remedy.
    let advice: String?

    static func fine(_ subject: String, _ finding: String) -> Finding {
        Finding(grade: .fine, subject: subject, finding: finding, advice: nil)
    }

    static func notice(_ subject: String, _ finding: String, _ advice: String? = nil) -> Finding {
        Finding(grade: .notice, subject: subject, finding: finding, advice: advice)
    }

    static func problem(_ subject: String, _ finding: String, _ advice: String) -> Finding {
        Finding(grade: .problem, subject: subject, finding: finding, advice: advice)
    }

    /// The finding as lines for a terminal.
    var text: String {
        let mark =
            switch grade {
            case .fine: "ok     "
            case .notice: "note   "
            case .problem: "WRONG  "
            }
        let first = "\(mark)  \(subject): \(finding)"
        return advice.map { "\(first)\n         \($0)" } ?? first
    }
}
