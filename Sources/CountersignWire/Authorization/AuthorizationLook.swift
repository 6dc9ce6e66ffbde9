public import Countersign

/// The provider's own app asks what is behind the authorization request that it was opened with.
///
/// It sends its own access token in the `Authorization` header. Looking changes nothing.
public struct AuthorizationLookRequest: Sendable, Equatable {
    /// The parameters as they stood in the address.
    public let parameters: String

    /// The parameter of the form.
    static let parameter = "authorization"

    /// Creates a request to send.
    public init(parameters: String) {
        self.parameters = parameters
    }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the parameters are missing.
    public init(form: Form) throws(OAuthError) {
        parameters = try form.required(Self.parameter)
    }

    /// The form that an app sends.
    public var form: Form {
        var form = Form()
        form[Self.parameter] = parameters
        return form
    }
}

/// The possible steps of the provider's own app for a request.
public enum AuthorizationLookResponse: Sendable, Equatable {
    /// Decide about it.
    case decide(AuthorizationLook)
    /// Hand it to the browser: the person has to sign in anew or choose an account, or the answer can only be posted.
    case browser
    /// Nothing is to be decided: the other app is told why, by opening this address.
    case answer(AuthorizationAnswerAddress, redirectURI: String)
    /// Nothing at all, but tell the person: the request cannot be answered, since its app or its redirect URI is not
    /// registered, or it is used up. No address of it must be opened.
    case unanswerable
}

/// The facts that the server knows of an authorization request: the app shows exactly this, and signs that it did.
public struct AuthorizationLook: Sendable, Equatable {
    /// One thing that the other app would be allowed.
    public struct Permission: Sendable, Hashable, Codable {
        /// The word of the scope.
        public let word: ScopeWord
        /// The meaning, in words for people.
        public let meaning: String

        /// Creates a permission.
        public init(_ word: ScopeWord, meaning: String) {
            self.word = word
            self.meaning = meaning
        }
    }

    /// Identifies the request; no secret.
    public var exchange: SignInRequest.ID
    /// Permits one decision, by this account and app.
    public var nonce: DecisionNonce
    /// The app that asks: verified when nobody else can receive its answer and redeem it, asserted otherwise.
    public var client: Fact<ClientID>
    /// The app's name for people; as believable as the app itself, or less.
    public var clientName: Fact<String>
    /// The address of the answer; registered.
    public var redirectURI: String
    /// The permissions that the app would get.
    public var permissions: [Permission]
    /// The challenge that the code will be bound to.
    public var challenge: CodeChallenge
    /// The name of the person as whom the other app would be signed in.
    public var accountName: String
    /// Whether this person allowed that app all of it before.
    public var isAllowedBefore: Bool
    /// Whether the person must be asked all the same.
    public var mustAsk: Bool
    /// The time when it becomes too late to decide, in seconds since 1970.
    public var expires: Int

    /// The permissions that the app would get, as a scope.
    public var scope: Scope { Scope(permissions.map(\.word)) }

    /// Creates what an app is told.
    public init(
        exchange: SignInRequest.ID,
        nonce: DecisionNonce,
        client: Fact<ClientID>,
        clientName: Fact<String>,
        redirectURI: String,
        permissions: [Permission],
        challenge: CodeChallenge,
        accountName: String,
        isAllowedBefore: Bool,
        mustAsk: Bool,
        expires: Int
    ) {
        self.exchange = exchange
        self.nonce = nonce
        self.client = client
        self.clientName = clientName
        self.redirectURI = redirectURI
        self.permissions = permissions
        self.challenge = challenge
        self.accountName = accountName
        self.isAllowedBefore = isAllowedBefore
        self.mustAsk = mustAsk
        self.expires = expires
    }
}

/// The address with an answer, which the provider's app opens and then forgets: it may hold a code.
public struct AuthorizationAnswerAddress: Secret {
    /// The address, for the one call that opens it.
    public let revealed: String
    /// Creates an address from what a server sent.
    ///
    /// - Parameter text: The whole address, with the code of the answer.
    public init(revealing text: String) { revealed = text }

    /// Whether it is `redirectURI` with an answer added to its query, and nothing else.
    ///
    /// - Parameter redirectURI: The address of the other app, as it is registered.
    public func isAnswer(at redirectURI: String) -> Bool {
        let start = "\(redirectURI)\(Form.separator(after: redirectURI))"
        guard revealed.utf8.starts(with: start.utf8), revealed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !revealed.utf8.contains(UInt8(ascii: "#"))
        else { return false }
        let added = revealed.utf8.dropFirst(start.utf8.count)
        return (try? AuthorizationResponse(form: Form(parsing: Array(added)))) != nil
    }
}
