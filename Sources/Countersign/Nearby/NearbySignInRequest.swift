/// What the asking screen hands to a phone over an authenticated link: where its request is, and what shows that it is
/// this screen's.
///
/// Everything in it is asserted: the phone looks at the request at the server itself, and only at one that it is signed
/// in to.
public struct NearbySignInRequest: Sendable, Equatable {
    /// The issuer as the screen spells it; to be compared, character for character, and never to be followed.
    public let issuer: String
    /// By which the server finds the request.
    public let userCode: ShownCode
    /// What only that screen holds.
    public let verifier: NearbyVerifier

    /// Puts a request together; `nil` when the issuer or the code is empty or too long for a link.
    public init?(issuer: String, userCode: ShownCode, verifier: NearbyVerifier) {
        guard (1...2_048).contains(issuer.utf8.count), (1...255).contains(userCode.rawValue.utf8.count) else {
            return nil
        }
        self.issuer = issuer
        self.userCode = userCode
        self.verifier = verifier
    }
}
