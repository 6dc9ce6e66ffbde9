/// An app asks what a request is about. Looking changes nothing.
///
/// It sends its own access token in the `Authorization` header. `Documentation/Approver.md` has the format.
package enum ApproverLookRequest: Sendable, Equatable {
    /// The request of a screen nearby: the code as the screen gave it, which the server interprets, and its secret.
    case nearby(UserCodeText, NearbyVerifier)
    /// The authorization request of another app: the parameters in the address.
    case authorization(parameters: String)
    /// The request of a screen on the same device: the code in its link, which the server interprets, and the way back.
    case activation(UserCodeText, returningTo: RedirectURI)
    /// A request in the inbox, as ``AuthenticatorInbox`` or a push message names it.
    case inbox(SignInRequest.ID)

    /// The parameter with the authorization request of another app.
    static let authorization = "authorization"

    /// The way the request was found.
    package var method: ApprovalMethod {
        switch self {
        case .nearby: .nearby
        case .authorization: .authorization
        case .activation: .activation
        case .inbox: .inbox
        }
    }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when a parameter is missing or malformed.
    package init(form: Form) throws(OAuthError) {
        switch ApprovalMethod(rawValue: try form.required("method")) {
        case .nearby?:
            let code = UserCodeText(try form.required("user_code"))
            guard let verifier = NearbyVerifier(parsing: try form.required("verifier")) else {
                throw OAuthError(.invalidRequest, "the verifier is malformed", because: "malformed verifier")
            }
            self = .nearby(code, verifier)
        case .authorization?: self = .authorization(parameters: try form.required(Self.authorization))
        case .activation?:
            let code = UserCodeText(try form.required("user_code"))
            guard let redirectURI = try? RedirectURI(try form.required("redirect_uri")) else {
                throw OAuthError(.invalidRequest, "redirect_uri is malformed", because: "no redirect URI")
            }
            self = .activation(code, returningTo: redirectURI)
        case .inbox?:
            let text = try form.required("request")
            guard text.utf8.count <= 128 else {
                throw OAuthError(.invalidRequest, "the request is malformed", because: "long request identifier")
            }
            self = .inbox(SignInRequest.ID(text))
        case nil: throw OAuthError(.invalidRequest, "there is no such method", because: "unknown method")
        }
    }

    package var form: Form {
        var form = Form()
        form["method"] = method.rawValue
        switch self {
        case .nearby(let code, let verifier):
            form["user_code"] = code.rawValue
            form["verifier"] = verifier.revealed
        case .authorization(let parameters): form[Self.authorization] = parameters
        case .activation(let code, returningTo: let redirectURI):
            form["user_code"] = code.rawValue
            form["redirect_uri"] = redirectURI.text
        case .inbox(let request): form["request"] = request.rawValue
        }
        return form
    }
}
