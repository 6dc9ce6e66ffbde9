internal import CountersignApprover

extension RequestAnswer {
    /// The answer in the past tense, in sentences and in lines of JSON.
    var word: String {
        switch self {
        case .approve: "approved"
        case .deny: "denied"
        case .report: "reported"
        case .mute: "muted"
        case .goOnInBrowser: "left to the browser"
        }
    }
}
