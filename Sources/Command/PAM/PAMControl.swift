/// The control of a line: the action of PAM for each value that the module returns.
///
/// Standard: pam.conf(5).
struct PAMControl: Sendable, Equatable {
    /// An action.
    enum Action: Sendable, Hashable {
        /// The value counts for nothing, and the next line decides.
        case ignore
        /// The values so far count for nothing, and the next line decides.
        case reset
        /// The value counts, and the next line is asked, too.
        case ok
        /// The value counts, and no further line is asked.
        case done
        /// The sign-in fails, after the further lines.
        case bad
        /// The sign-in fails at once.
        case die
        /// So many lines are left out.
        case jump(Int)

        fileprivate init?(_ word: Substring) {
            switch word {
            case "ignore": self = .ignore
            case "reset": self = .reset
            case "ok": self = .ok
            case "done": self = .done
            case "bad": self = .bad
            case "die": self = .die
            default:
                guard let count = Int(word), count > 0, word.first != "+" else { return nil }
                self = .jump(count)
            }
        }

        /// Whether PAM refuses somebody for whom the module returns the value.
        var isRefusal: Bool { self == .bad || self == .die }

        /// Whether the line decides nothing about somebody for whom the module returns the value.
        var isPassedOver: Bool { if case .jump = self { true } else { self == .ignore || self == .reset } }
    }

    /// The values that the module returns, by the words for them.
    enum ReturnValue: String, Sendable, Hashable, CaseIterable {
        case success
        case denied = "auth_err"
        case unavailable = "authinfo_unavail"
        case unknown = "user_unknown"
        case failed = "service_err"
    }

    /// The actions by value.
    private let actions: [String: Action]
    /// The action for values that are not named: PAM fails for those of brackets without a default.
    private let otherwise: Action

    /// The return values that PAM knows by name.
    private static let names = Set(
        """
        success open_err symbol_err service_err system_err buf_err perm_denied auth_err cred_insufficient authinfo_unavail \
        user_unknown maxtries new_authtok_reqd acct_expired session_err cred_unavail cred_expired cred_err no_module_data \
        conv_err authtok_err authtok_recover_err authtok_lock_busy authtok_disable_aging try_again ignore abort \
        authtok_expired module_unknown bad_item conv_again incomplete default
        """.split(whereSeparator: \.isWhitespace))

    /// Reads a control; `nil` where PAM cannot, which then refuses everybody.
    init?(_ text: String) {
        switch text.lowercased() {
        case "required": self.init(["success": .ok], otherwise: .bad)
        case "requisite": self.init(["success": .ok], otherwise: .die)
        case "sufficient": self.init(["success": .done], otherwise: .ignore)
        case "optional": self.init(["success": .ok], otherwise: .ignore)
        default:
            guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
            var actions: [String: Action] = [:]
            let words = text.dropFirst().dropLast().replacing(/\s*=\s*/, with: "=").split(
                whereSeparator: \.isWhitespace)
            for word in words {
                let parts = word.split(separator: "=", omittingEmptySubsequences: false)
                guard parts.count == 2, Self.names.contains(parts[0]), let action = Action(parts[1]) else { return nil }
                // The first default counts, and of other words the last one.
                if parts[0] != "default" || actions["default"] == nil { actions[String(parts[0])] = action }
            }
            self.init(actions, otherwise: actions["default"] ?? .bad)
        }
    }

    private init(_ actions: [String: Action], otherwise: Action) {
        self.actions = actions
        self.otherwise = otherwise
    }

    subscript(value: ReturnValue) -> Action { actions[value.rawValue] ?? otherwise }
}
