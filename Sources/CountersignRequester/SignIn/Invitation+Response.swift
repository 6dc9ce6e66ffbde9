internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Invitation {
    /// Reads what a screen shows of a server's answer.
    ///
    /// The code is shown unchanged, so it must be plain text; a link must be one that a browser opens safely.
    /// Standard: RFC 8628 §3.2, §3.3.
    ///
    /// - Throws: ``SignInError`` `bad_answer` or `insecure_endpoint`.
    init(
        _ response: DeviceAuthorizationResponse,
        until deadline: Date,
        allowingInsecureHTTP: Bool
    ) throws(SignInError) {
        let code = response.userCode.rawValue
        guard DeviceAuthorizationRequest.presentable(code) == code else {
            throw SignInError(.badAnswer, because: "the user code is not fit to be shown")
        }
        let place = try Endpoint(
            response.verificationURI, named: "verification_uri", allowingInsecureHTTP: allowingInsecureHTTP)
        // The link with the code is a convenience: without it there is still the place to type the code.
        let complete = response.verificationURIComplete.flatMap { text in
            try? Endpoint(text, named: "verification_uri_complete", allowingInsecureHTTP: allowingInsecureHTTP)
        }
        self.init(
            userCode: response.userCode,
            verificationURI: place.url,
            verificationURIComplete: complete?.url,
            deadline: deadline
        )
    }
}
