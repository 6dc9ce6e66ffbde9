/// The address with an answer, which the provider's app opens and then forgets: it may hold a code.
package struct AuthorizationAnswerAddress: Secret {
    /// The address, for the one call that opens it.
    package let revealed: String
    package init(revealing text: String) { revealed = text }

    /// Whether it is `redirectURI` with an answer to a request of `method` added to its query, and nothing else.
    package func isAnswer(to method: ApprovalMethod, at redirectURI: String) -> Bool {
        let start = "\(redirectURI)\(Form.separator(after: redirectURI))"
        guard revealed.utf8.starts(with: start.utf8), revealed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !revealed.utf8.contains(UInt8(ascii: "#"))
        else { return false }
        guard let added = try? Form(parsing: Array(revealed.utf8.dropFirst(start.utf8.count))) else { return false }
        return switch method {
        case .authorization: (try? AuthorizationResponse(form: added)) != nil
        case .activation: (try? BrowserReturnResponse(form: added)) != nil
        case .nearby, .inbox: false
        }
    }
}
