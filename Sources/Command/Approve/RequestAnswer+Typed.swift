internal import Countersign
internal import CountersignApprover

extension RequestAnswer {
    /// The answer that a person typed, in lower case; `nil` when it is none of the answers.
    ///
    /// - Parameter digits: The length of the number that an approval takes; `nil` for none, when only a
    ///   yes approves.
    init?(typed: String, digits: Int?) {
        switch (typed, digits) {
        case ("n", _), ("no", _): self = .deny
        case ("y", nil), ("yes", nil): self = .approve()
        case (_, let digits?) where TypedText.digits(typed)?.utf8.count == digits: self = .approve(number: typed)
        default: return nil
        }
    }
}
