import Countersign
@testable import CountersignNearby

extension ApproverHandshake.Opening {
    /// The greeting, where the hello was not refused.
    var greeted: ApproverHandshake.Greeting? {
        if case .greeted(let greeted) = self { greeted } else { nil }
    }
}

extension RequesterHandshake.Answer {
    /// The greeting, where the approver did not refuse.
    var greeted: RequesterHandshake.Greeting? {
        if case .greeted(let greeted) = self { greeted } else { nil }
    }
}

extension NearbyResult {
    /// The grant, where there is one.
    var granted: NearbyGranted? {
        if case .granted(let granted) = self { granted } else { nil }
    }
}
