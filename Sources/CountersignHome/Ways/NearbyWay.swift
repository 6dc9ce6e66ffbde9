internal import Countersign
internal import CountersignServer
internal import CountersignTesting
internal import CountersignWire

/// A screen whose request goes over a link to a phone nearby, beside its code.
enum NearbyWay: HomeOccasion {
    static let acts = [
        HomeAct("screen.asksPhoneNearby", weight: 4) { home, choice in
            let screens = home.signIns.filter { $0.isWaiting && $0.verifier != nil && !$0.screen.isAttackers }
            guard let signIn = choice.signIn(screens), let person = choice.person() else { return nil }
            return carry(signIn, to: person, in: home)
        }
    ]

    static let stories = [["tv.asks", "screen.asksPhoneNearby"] + PhoneActs.decision + CodeWay.tokens]

    /// Carries the request of a screen over a new link, which its token requests name from then on.
    static func carry(_ signIn: RunningSignIn, to person: HomePerson, in home: isolated Home) -> String? {
        guard let link = NearbyLinkID(home.random.bytes(32)), let carried = request(of: signIn, over: link, in: home)
        else { return nil }
        signIn.links = NearbyLinks(signIn.links.ids + [link])
        home.phones[person]?.carried = carried
        return "\(signIn.label) asks the phone of \(person)"
    }

    /// The message of a screen to a phone; `nil` for a screen that asks no phones.
    static func request(
        of signIn: RunningSignIn, over link: NearbyLinkID, in home: isolated Home
    ) -> ApprovingPhone.CarriedRequest? {
        guard let verifier = signIn.verifier, let code = signIn.codes?.userCode,
            let request = NearbySignInRequest(
                issuer: home.ground.settings.issuer.text, userCode: code, verifier: verifier)
        else { return nil }
        return .nearby(request, over: link)
    }
}
