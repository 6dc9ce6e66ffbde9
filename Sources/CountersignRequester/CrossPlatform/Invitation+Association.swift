internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Invitation {
    /// Reads what a screen shows of an association; `nil` when no person is asked.
    ///
    /// Standard: ETSI TS 103 407 §8.3.
    ///
    /// - Throws: ``SignInError`` for a code that is no plain text, and for an address that is not safe to open in a
    ///   browser.
    init?(_ response: AssociationResponse, until deadline: Date, allowingInsecureHTTP: Bool) throws(SignInError) {
        let address: String
        var code: UserCodeText?
        switch response.shape {
        case .code(let shown, let place, interval: _):
            guard DeviceAuthorizationRequest.presentable(shown.rawValue) == shown.rawValue else {
                throw SignInError(.badAnswer, because: "the user code is not fit to be shown")
            }
            code = shown
            address = place
        case .confirmation(let place, interval: _):
            address = place
        case .automatic:
            return nil
        }
        let place = try Endpoint(address, named: "verification_uri", allowingInsecureHTTP: allowingInsecureHTTP).url
        self.init(
            userCode: code,
            verificationURI: place,
            verificationURIComplete: code.map { place.adding("user_code", $0.rawValue).marked(response.link) } ?? place,
            deadline: deadline
        )
    }
}
