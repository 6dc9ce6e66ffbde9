internal import Countersign
internal import CountersignRequester

/// The rule of one service, such as `sudo`: the people and the evidence that let somebody in.
struct PAMServiceRule: Sendable, Equatable {
    /// The local user whose person has to approve.
    enum Asked: String, Sendable, Hashable, Decodable {
        /// The user who is to be signed in.
        case user
        /// The user who called the application, as at `su`.
        case caller
    }

    /// The verdict where nobody can be asked.
    enum Fallback: String, Sendable, Hashable, Decodable {
        /// The next line of the PAM stack decides.
        case stack
        case deny
    }

    /// The words for evidence, as a configuration spells them.
    static let evidenceWords: [String: AuthenticationClass] = [
        "nearby": .nearby, "number": .number, "device_key": .deviceKey, "user_verified": .userVerified,
    ]

    /// The evidence of which one suffices; empty for any.
    var evidence: [AuthenticationClass] = []
    /// The groups of which the person has to be in one; empty for none.
    var groups: Set<String> = []
    /// The ways in, of those that a host has.
    var ways: Set<SignInWay> = [.push, .code]
    /// The time that the person has, in seconds.
    var timeout = 60
    /// The verdict where the server is away.
    var fallback = Fallback.stack
    /// The verdict where the server knows nobody of that name, or has locked them; it says so to some clients only.
    var unknown = Fallback.deny
    var asks = Asked.user
    /// Whether the session ends when the person signs out, or is locked.
    var endsWithSignOut = false
    /// Whether the application shows a text before it asks for something. OpenSSH does not.
    var showsTexts = true
    /// Whether a link is shown as a QR code, too.
    var showsQRCode = true

    /// The services by which `sudo -i` and `su -` ask. Without a rule of their own they have the one of the same program:
    /// nobody evades it by a login shell.
    static let loginShells = ["sudo-i": "sudo", "su-l": "su"]

    /// The longest time that a person may have, in seconds.
    static let longestTimeout = 580

    /// The rule of a service that has no members.
    init(for service: String) {
        showsTexts = service != "sshd"
    }
}

extension PAMServiceRule {
    /// The local user whose person is asked; `nil` where the application names no caller.
    ///
    /// - Throws: a ``CommandError`` for a caller on another host, whose name is only that host's word.
    func localUser(in head: PAMHead) throws(CommandError) -> String? {
        switch asks {
        case .user: return head.user
        case .caller:
            guard head.host == nil else {
                throw CommandError(
                    "\(head.service) was called from another host, so that asks: caller cannot be used for it.")
            }
            return head.caller
        }
    }
}

extension PAMServiceRule {
    /// The members of a rule in the configuration.
    enum Key: String, CodingKey, CaseIterable {
        case evidence, groups, ways, timeout, fallback, unknown, asks
        case endsWithSignOut = "ends-with-signout"
        case showsTexts = "shows-texts"
        case showsQRCode = "qr-code"
    }

    /// Reads the rule of a service.
    ///
    /// - Throws: `DecodingError` for a value of another kind; a ``CommandError`` for a word that is unknown.
    init(_ members: KeyedDecodingContainer<Key>, for service: String) throws {
        self.init(for: service)
        for word in try members.decodeIfPresent([String].self, forKey: .evidence) ?? [] {
            let known = Self.evidenceWords.keys.sorted().joined(separator: ", ")
            evidence.append(
                try Self.evidenceWords[word].or(failure: "‘\(word.shown)’ is no evidence. There are: \(known)."))
        }
        groups = Set(try members.decodeIfPresent([String].self, forKey: .groups) ?? [])
        if let names = try members.decodeIfPresent([String].self, forKey: .ways) {
            ways = try Set(naming: names)
            guard !ways.isEmpty, !ways.contains(.browser) else {
                throw CommandError("A host has the ways push, code and nearby.")
            }
        }
        timeout = try members.decodeIfPresent(Int.self, forKey: .timeout) ?? timeout
        guard (5...Self.longestTimeout).contains(timeout) else {
            throw CommandError("timeout takes 5 to \(Self.longestTimeout) seconds.")
        }
        fallback = try members.decodeIfPresent(Fallback.self, forKey: .fallback) ?? fallback
        unknown = try members.decodeIfPresent(Fallback.self, forKey: .unknown) ?? unknown
        asks = try members.decodeIfPresent(Asked.self, forKey: .asks) ?? asks
        guard asks != .caller || !groups.isEmpty else {
            throw CommandError(
                "The rule of \(service.shown) has asks: caller, by which every user becomes any other on their own "
                    + "phone. It needs groups: name those who may.")
        }
        endsWithSignOut = try members.decodeIfPresent(Bool.self, forKey: .endsWithSignOut) ?? endsWithSignOut
        showsTexts = try members.decodeIfPresent(Bool.self, forKey: .showsTexts) ?? showsTexts
        showsQRCode = try members.decodeIfPresent(Bool.self, forKey: .showsQRCode) ?? showsQRCode
    }
}
