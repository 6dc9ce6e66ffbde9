import Countersign
import CountersignWire
import Foundation

@testable import CountersignServer

extension SamplePages {
    /// The pages of links and of a forgotten password, in every state.
    static func links(_ text: String) -> [(String, any Page)] {
        let person = Person(
            subject: Subject(text), username: Username(rawValue: text), name: text, password: nil, created: noon)
        let secret = ActionLinkSecret(revealing: text)
        func invitation(_ refusal: InvitationView.Refusal?) -> InvitationView {
            InvitationView(
                formToken: text, by: secret, username: text, name: text, offersPasskey: true, refusing: refusal)
        }
        return [
            ("open a link", ActionLinkView(formToken: text)),
            ("reset", PasswordResetView(formToken: text, by: .link(secret), of: person)),
            (
                "reset again",
                PasswordResetView(formToken: text, by: .approval, of: person, refusing: .rule(.tooShort))
            ),
            ("reset done", LinkOutcomeView.passwordSet),
            ("invitation", invitation(nil)),
            ("invitation with a wrong username", invitation(.name(.username))),
            ("invitation with a taken username", invitation(.name(.taken))),
            ("invitation with a wrong name", invitation(.name(.name))),
            ("invitation with a wrong password", invitation(.password(.different))),
            ("invitation with a wrong passkey", invitation(.passkey(.verbatim(text)))),
            (
                "invitation by a passkey",
                InvitationPasskeyView(formToken: text, link: text, username: text, fullName: text, options: text)
            ),
            ("used link", LinkOutcomeView(.used(noon), at: noon)),
            ("expired link", LinkOutcomeView(.expired, at: noon)),
            ("unknown link", LinkOutcomeView(.unknown, at: noon)),
            ("forgotten password", ForgottenPasswordView(formToken: text)),
            (
                "forgotten password again",
                ForgottenPasswordView(formToken: text, offersMail: true, problem: .verbatim(text))
            ),
            ("mail for a forgotten password", LinkOutcomeView.mailRequested),
            ("forgotten password without a number", waiting(nil, text)),
            ("forgotten password with a number", waiting(text, text)),
        ]
    }

    private static func waiting(_ number: String?, _ text: String) -> ForgottenPasswordWaitView {
        ForgottenPasswordWaitView(
            formToken: text, tag: text, refreshSeconds: "5", number: number,
            facts: [.address(.observed(text)), .software(.asserted(text))])
    }
}
