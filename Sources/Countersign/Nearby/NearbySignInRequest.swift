/// The message of the requesting screen to a phone over an authenticated link: the server and the code of its request,
/// and proof that it is this screen's request.
///
/// The server verifies none of it. The phone looks the request up at the server itself, and only at a server that it is
/// signed in to.
public struct NearbySignInRequest: Sendable, Equatable {
    /// The issuer's URL as the screen spells it; compare it character for character, and never open it.
    public let issuer: String
    /// The code that the server finds the request by.
    public let userCode: UserCodeText
    /// The secret that only this screen held before.
    public let verifier: NearbyVerifier

    /// Creates a request to send; `nil` when a text is empty or too long for a link.
    public init?(issuer: String, userCode: UserCodeText, verifier: NearbyVerifier) {
        guard (1...2_048).contains(issuer.utf8.count), (1...255).contains(userCode.rawValue.utf8.count) else {
            return nil
        }
        self.issuer = issuer
        self.userCode = userCode
        self.verifier = verifier
    }
}
