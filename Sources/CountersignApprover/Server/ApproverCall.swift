internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// One request of an app that approves.
struct ApproverCall: Sendable {
    /// The address of a request, as a path below one that the server's metadata name.
    enum Place: Sendable {
        /// Below the endpoint for apps that approve.
        case approver(String)
        /// Below the endpoint for enrolled devices.
        case authenticator(String)
    }

    var method = HTTPRequest.Method.get
    /// The address.
    let place: Place
    /// The body; empty for none.
    var body: [UInt8] = []
    /// Makes the body for the access token that it is sent with, in place of ``body``; `nil` if it does not matter.
    var bodyForToken: (@Sendable (AccessToken) throws(ApprovalError) -> [UInt8])?
    /// The type of the body.
    var type = Form.mediaType
    /// Additional header fields of the call.
    var fields: HTTPFields = [:]
    /// The time that the server may hold it open, in seconds.
    var hold = 0
    /// Whether it makes a decision, so that a lost answer leaves the outcome unknown.
    var decides = false
    /// Whether it is one of several attempts, with a shorter timeout.
    var isAttempt = false
    /// Whether the server answers a new device with 404.
    var mayFindNothing = false
    /// Whether a server may be without it, and then answers with 404.
    var isOptional = false
    /// Whether the server says in words why it does not take an address that the person typed.
    var isObjectedInWords = false
    /// The meaning of `access_denied`.
    var accessDenied = ApprovalError.Code.policyRefused

    /// A call of an enrolled device.
    init(_ method: HTTPRequest.Method, _ path: String) {
        self.method = method
        place = .authenticator(path)
    }

    /// A call of an enrolled device with a form.
    init(_ method: HTTPRequest.Method, _ path: String, form: Form) {
        self.init(method, path)
        body = Array(form.encoded.utf8)
    }

    private init(_ path: String, _ form: Form, of method: ApprovalMethod) {
        self.method = .post
        place = .approver(path)
        body = Array(form.encoded.utf8)
        accessDenied =
            switch method {
            case .nearby: .digitsNeeded
            case .authorization: .refused
            case .activation, .inbox: .policyRefused
            }
    }

    static func look(_ request: ApproverLookRequest) -> Self {
        var call = Self("look", request.form, of: request.method)
        call.isAttempt = true
        return call
    }

    /// The recent decisions of the person.
    static var decisions: Self {
        var call = Self(.get, below: "decisions")
        call.isAttempt = true
        return call
    }

    /// The undo of an approval.
    static func undo(_ request: SignInRequest.ID) -> Self {
        var call = Self(.post, below: "undo")
        call.body = Array(ApproverUndoRequest(exchange: request).form.encoded.utf8)
        call.decides = true
        return call
    }

    private init(_ method: HTTPRequest.Method, below path: String) {
        self.method = method
        place = .approver(path)
        isOptional = true
    }

    /// A signed decision.
    static func decide(_ form: Form, of method: ApprovalMethod) -> Self {
        var call = Self("decide", form, of: method)
        call.decides = true
        return call
    }

    /// The body, for a request that has its token.
    func body(of request: HTTPRequest) throws(ApprovalError) -> [UInt8] {
        guard let bodyForToken else { return body }
        let header = request.headerFields[.authorization] ?? ""
        guard let token = BearerHeader.token(in: header) ?? DPoPHeader.token(in: header) else {
            throw ApprovalError(.signedOut, because: "no access token")
        }
        return try bodyForToken(token)
    }

    /// The time limit of the request.
    func limit(by options: ApprovalOptions) -> Duration {
        isAttempt ? options.attemptTimeLimit : options.timeLimit + .seconds(hold)
    }
}
