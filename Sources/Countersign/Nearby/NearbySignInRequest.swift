/// What the asking screen hands to a phone over an authenticated link: where its request is, and what shows that it is
/// this screen's.
///
/// Everything in it is asserted: the phone looks at the request at the server itself, and only at one that it is signed
/// in to.
public struct NearbySignInRequest: Sendable, Equatable {
    /// The issuer as the screen spells it; to be compared, and never to be followed.
    public let issuer: String
    public let userCode: ShownCode
    public let verifier: NearbyVerifier

    public init(issuer: String, userCode: ShownCode, verifier: NearbyVerifier) {
        self.issuer = issuer
        self.userCode = userCode
        self.verifier = verifier
    }
}
