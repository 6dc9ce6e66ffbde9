import Countersign
import Foundation

extension Policy {
    /// The reason for which an approval with this evidence is refused a scope; `nil` for one that gets it.
    func refusal(of scope: Scope, by evidence: Evidence, at now: Date? = nil) -> ViolationError? {
        do throws(ViolationError) {
            try authorize(.decision, client: .active, subject: .active, evidence: evidence, scope: scope, at: now)
            return nil
        } catch {
            return error
        }
    }
}
