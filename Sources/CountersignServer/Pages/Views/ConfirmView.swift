#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The page where a person decides: the code again, who asks for what, and how far each part can be believed.
struct ConfirmView: Page {
    static let template = PageTemplate.confirm

    /// Who is signed in, and would be on the screen too.
    let personName: String
    /// Goes back as `form_token`.
    let formToken: String
    /// The code as screens show it: `XXXX-XXXX`.
    let userCode: String
    /// Who asks, from where, since when; in the order in which a person should read.
    let facts: [ShownFact]
    /// What it asks for.
    let permissions: [ShownPermission]
    /// When it is too late.
    let deadline: ShownTime
    /// How long that is from now, in words.
    let timeLeft: String

    var title: String { "Approve this sign-in?" }

    init(
        personName: String,
        formToken: String,
        userCode: String,
        facts: [ShownFact],
        permissions: [ShownPermission],
        deadline: Date,
        at now: Date
    ) {
        self.personName = personName
        self.formToken = formToken
        self.userCode = userCode
        self.facts = facts
        self.permissions = permissions
        self.deadline = ShownTime(deadline, at: now)
        timeLeft = ShownTime.span(deadline.timeIntervalSince(now))
    }
}
