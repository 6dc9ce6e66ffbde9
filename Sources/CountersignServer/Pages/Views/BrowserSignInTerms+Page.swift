extension BrowserSignInTerms.Purpose {
    /// The name of the page of this server where the browser asks.
    var pageName: TextKey {
        switch self {
        case .session: .factSignInPage
        case .passwordReset: .factPasswordPage
        }
    }

    /// The purpose of the requests of a page of this server; `nil` for those of a client.
    init?(ofPage client: ClientID) {
        switch client {
        case Client.signInPage.id: self = .session
        case Client.passwordPage.id: self = .passwordReset
        default: return nil
        }
    }
}
