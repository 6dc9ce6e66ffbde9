/// The address with an answer, which the provider's app opens and then forgets: it may hold a code.
package struct AuthorizationAnswerAddress: Secret {
    /// The address, for the one call that opens it.
    package let revealed: String
    package init(revealing text: String) { revealed = text }

    /// Whether it is `redirectURI` with an answer added to its query, and nothing else.
    package func isAnswer(at redirectURI: String) -> Bool {
        let start = "\(redirectURI)\(Form.separator(after: redirectURI))"
        guard revealed.utf8.starts(with: start.utf8), revealed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !revealed.utf8.contains(UInt8(ascii: "#"))
        else { return false }
        let added = revealed.utf8.dropFirst(start.utf8.count)
        return (try? AuthorizationResponse(form: Form(parsing: Array(added)))) != nil
    }
}
