internal import Configuration
internal import Countersign
internal import CountersignServer

/// The settings of sign-ins and sessions, and of the registration of apps.
enum SignInSettings: SettingSection {
    static let settings = [
        Setting.value(
            "minimum-evidence", takes: "demands",
            """
            The least evidence for words of a scope, as in "door=nearby pay=user_verified,recent:300": nearby, number, \
            device_key, password, second_factor, user_verified, recent: with seconds, deliberate. (default: none)
            """,
            to: \.minimumEvidence, minimumEvidence),
        .value(
            "required-groups", takes: "words",
            """
            The group that a person has to be in for a word of a scope, as in "pay=treasury grafana=staff". (default: \
            none)
            """,
            to: \.requiredGroups, requiredGroups),
        .seconds(
            "session-lifetime", "How long a browser stays signed in, in seconds. (default: 43200)",
            in: 60...31_536_000, to: \.browserSessionLifetime),
        .seconds(
            "longest-service",
            "How long a program may act for a person at the longest, in seconds. (default: 2592000; 0 for not at all)",
            in: 0...31_536_000, to: \.longestService),
        Setting(
            "account-removal-delay", takes: "days",
            "How long a person who deletes their account may still keep it, in days. (default: 14)", form: .number
        ) {
            $1.accountRemovalDelay = try $0.wholeNumber("account-removal-delay", in: 0...365) ?? 14
        },
        .seconds(
            "longest-wait",
            "How long a requester may hold a token request open, in seconds. (default: 60; 0 for not at all)",
            in: 0...3600, to: \.longestWait),
        Setting(
            "registration", takes: "whom",
            "Who may register apps at /register: off, token (of admin registration-token), or open. (default: off)"
        ) {
            $1.registration = try registration(in: $0)
        },
        Setting(
            "registration-scope", takes: "words",
            """
            What apps that register themselves may ask for besides openid, profile and offline_access, in words of a \
            scope. (default: nothing)
            """,
            needs: "registration"),
    ]

    /// The demands of scope values; a value that is there twice has those of both.
    @Sendable private static func minimumEvidence(_ text: String) throws -> [ScopeWord: ScopeDemands] {
        var minimum: [ScopeWord: ScopeDemands] = [:]
        for part in text.split(separator: " ") {
            guard let named = NamedValue(parsing: String(part)), let word = ScopeWord(parsing: named.name),
                let demands = ScopeDemands(parsing: named.value), demands != .none
            else {
                throw CommandError.usage(
                    "minimum-evidence takes words with demands, as in pay=user_verified,recent:300; not \(part).")
            }
            minimum[word] = minimum[word]?.adding(demands) ?? demands
        }
        return minimum
    }

    /// The group for each scope value that is not for everybody.
    @Sendable static func requiredGroups(_ text: String) throws -> [ScopeWord: GroupName] {
        var required: [ScopeWord: GroupName] = [:]
        for part in text.split(separator: " ") {
            guard let named = NamedValue(parsing: String(part)), let word = ScopeWord(parsing: named.name),
                let group = GroupName(parsing: named.value), required[word] == nil
            else {
                throw CommandError.usage(
                    "required-groups takes words with a group each, as in pay=treasury; not \(part).")
            }
            required[word] = group
        }
        return required
    }

    /// The rules for registering clients; `nil` if no one may.
    private static func registration(in settings: ConfigReader) throws -> RegistrationPolicy? {
        let text = settings.string(forKey: "registration") ?? "off"
        let key = "registration-scope"
        let scope = try Setting.scope(settings.string(forKey: ConfigKey(key)) ?? "", of: key)
        guard text != "off" else { return nil }
        guard let access = RegistrationPolicy.Access(rawValue: text) else {
            let known = Suggestion(from: ["off", "token", "open"])
            throw known.refusal(
                "The setting registration is \(known.choice); not \(text.isEmpty ? "an empty text" : text).", of: text)
        }
        return RegistrationPolicy(access: access, scope: scope)
    }
}
