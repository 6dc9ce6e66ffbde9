internal import FoundationEssentialsCompat

/// A new password that a person typed twice in a form.
struct NewPasswordEntry: Sendable {
    let password: Password
    private let isSameAgain: Bool

    /// Reads the fields of a form.
    init(_ form: Form) {
        password = Password(revealing: form["new_password"] ?? "")
        isSameAgain = form["new_password_again"] == password.revealed
    }

    /// The problem of the password; `nil` for none.
    ///
    /// - Parameter known: What others know of the person and the server; `nil` for an unknown one.
    func problem(avoiding known: [String?]) -> PasswordView.Problem? {
        do throws(PasswordRuleError) {
            try PasswordRule(avoiding: known).verify(password)
        } catch {
            return .rule(error)
        }
        return isSameAgain ? nil : .different
    }
}

extension PageRoutes {
    /// What others know of the server.
    var knownWords: [String?] { [renderer.brand.name, issuer.url.host()] }
}

extension Person {
    /// What others know of the person.
    package var knownWords: [String?] { [username.rawValue, name, email] }
}
