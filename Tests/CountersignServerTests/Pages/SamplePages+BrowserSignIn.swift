import Countersign
import CountersignWire
import Foundation

@testable import CountersignServer

extension SamplePages {
    /// `/login/phone` in every state.
    static func browserSignIn(_ text: String) -> [(String, any Page)] {
        func waiting(_ number: String?, personName: String? = nil, showsCode: Bool = true) -> BrowserSignInView {
            BrowserSignInView(
                personName: personName, formToken: text, returnTo: text, otherWays: "/\(text)", tag: text,
                refreshSeconds: "5", userCode: showsCode ? text : nil, address: text, qrSize: "41", qrPath: text,
                number: number,
                facts: [.address(.observed(text)), .software(.asserted(text))],
                deadline: TimeDisplay(noon, at: noon), timeLeft: .verbatim(text))
        }
        func approved(lasting span: TimeInterval?) -> BrowserSignInContinueView {
            BrowserSignInContinueView(formToken: text, returnTo: text, approverName: text, lasting: span)
        }
        let ends: [(String, BrowserSignInState)] = [
            ("absent", .absent), ("denied", .denied), ("expired", .expired), ("cancelled", .cancelled),
            ("redeemed", .redeemed),
        ]
        return [
            ("phone", waiting(nil)), ("phone with a number", waiting(text, personName: text)),
            ("phone after a code of the person", waiting(nil, showsCode: false)),
            (
                "phone after a wrong code",
                BrowserSignInOutcomeView.wrongCode(formToken: text, returnTo: text, otherWays: "/\(text)")
            ),
            ("phone approved", approved(lasting: nil)),
            ("phone approved for an hour", approved(lasting: 3600)),
        ]
            + ends.compactMap { name, state in
                BrowserSignInOutcomeView(state, formToken: text, returnTo: text, otherWays: "/\(text)").map {
                    ("phone \(name)", $0)
                }
            }
    }

    /// A browser on the account page.
    static func openedBrowser(_ text: String, isHere: Bool = false) -> OpenedBrowserView {
        let request = SignInRequest(
            id: SignInRequest.ID(text), client: .verified(Client.signInPage.id), scope: .verified(.none),
            address: .observed(text), software: .asserted(text), asked: .observed(noon), deadline: noon + 300)
        let grant = Grant(
            id: Grant.ID(text), subject: Subject(text), client: Client.signInPage.id, scope: .none,
            evidence: Evidence(), approved: noon)
        let opening = SessionOpening(
            grant, of: request,
            answered: AnswerRecord(.browser(ApproverID(text), name: text), answered: noon))
        let session = BrowserSession(
            cookie: SecretDigest(of: text), id: ApproverID(text), subject: Subject(text), authenticated: noon,
            expires: noon + 3600, by: .crossDevice, opening: opening, lastUsed: noon)
        return OpenedBrowserView(opening, by: text, in: isHere ? session : nil, isHere: isHere, at: noon)
    }
}
