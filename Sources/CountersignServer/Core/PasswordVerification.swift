/// The result of the verification of a password.
enum PasswordVerification: Sendable {
    case wrong
    case right
    /// The password is right, and its stored hash is of another system or of a lower cost; `replacement` is to be stored in its place.
    case rightInForeignForm(replacement: PasswordHash)

    var isRight: Bool {
        switch self {
        case .wrong: false
        case .right, .rightInForeignForm: true
        }
    }
}
