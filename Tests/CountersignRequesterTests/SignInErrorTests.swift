import Countersign
import CountersignWire
import Testing

@testable import CountersignRequester

@Suite("A sign-in error")
struct SignInErrorTests {
    static let codes: [SignInError.Code] = [
        .denied, .expired, .notReachable, .notTrusted, .serverFailure, .noServerFound, .issuerMismatch,
        .insecureEndpoint, .flowNotOffered, .bindingNotOffered, .grantTypeRefused, .clientRefused, .scopeRefused,
        .refused, .tooFast, .answerLost,
        .domainRefused,
        .personNeeded, .badAnswer, .identityMissing, .identityRefused, .notMe, .anotherPerson, .notRemembered,
        .cancelled, .notStored, .notLoaded,
        .storeUnusable, .keyUnfit, .keyringUnavailable, .busyElsewhere, .signedOut, .subjectTokenRefused,
        .strongerSignInNeeded,
    ]

    @Test(arguments: codes)
    func `says what happened and what to try`(code: SignInError.Code) {
        let sentence = SignInError(code, because: "details").sentence
        #expect(sentence.hasSuffix("."))
        #expect(!sentence.contains("details"))
        // The sentence for errors that have none of their own.
        #expect(sentence != SignInError(SignInError.Code("unheard_of"), because: "").sentence)
    }

    @Test(arguments: codes)
    func `says nothing of client ids and secrets to the person at a device`(code: SignInError.Code) {
        let sentence = SignInError(code, because: "details").sentence.lowercased()
        #expect(!sentence.contains("client") && !sentence.contains("secret"))
    }

    @Test func `is equal to another by its code`() {
        #expect(SignInError(.denied, because: "one") == SignInError(.denied, because: "other"))
        #expect(SignInError(.denied, because: "one") != SignInError(.expired, because: "one"))
    }

    @Test func `keeps what a server says to one line of the log`() {
        let error = OAuthErrorResponse(
            OAuthError(OAuthError.Code("odd\ncode"), "two\nlines \u{1B}[31m", because: "")
        )
        #expect(error.logLine == "the server says oddcode: twolines [31m")
        #expect(SignInError(error).providerCode == "oddcode")
        #expect(SignInError(error).providerDescription == "twolines [31m")
    }
}
