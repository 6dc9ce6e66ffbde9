internal import Countersign
internal import CountersignWire

/// A draft in the form of a page.
extension ClientDraft {
    /// The current members of a client.
    init(of client: Client) {
        self.init()
        let (redirects, backchannel, lifetimes) = (client.redirects, client.backchannel, client.lifetimes)
        for member in ClientMember.allCases {
            self[member] =
                switch member {
                case .name: [client.name]
                case .grantTypes: client.grantTypes.map(\.shortName)
                case .scope: [client.scope.description]
                case .redirectURIs: redirects.redirectURIs
                case .postLogoutRedirectURIs: redirects.postLogoutRedirectURIs
                case .webOrigins: redirects.webOrigins.map(\.rawValue)
                case .consent: [redirects.consent.rawValue]
                case .pkce: [redirects.pkce.rawValue]
                case .pushedRequests: Self.word(for: redirects.requiresPushedRequests, of: ClientMember.demands)
                case .signedRequests: Self.word(for: redirects.requiresSignedRequests, of: ClientMember.demands)
                case .profile: [redirects.profile?.rawValue ?? ClientMember.noValue]
                case .tokenFormat: [client.tokenFormat.rawValue]
                case .idTokenAlgorithm: [client.idTokenSignedResponseAlg.rawValue]
                case .audience: [client.audience ?? ""]
                case .serves: client.serves
                case .dpop: [client.dpop.rawValue]
                case .codeLifetime: ["\(Int(lifetimes.code))"]
                case .accessTokenLifetime: ["\(Int(lifetimes.accessToken))"]
                case .refreshTokenLifetime: ["\(Int(lifetimes.refreshToken))"]
                case .linkApproval: [client.linkApproval.rawValue]
                case .minimumEvidence: [client.minimumEvidence == .none ? "" : client.minimumEvidence.description]
                case .logoutURI: [redirects.backChannelLogout?.uri ?? ""]
                case .logoutSession:
                    Self.word(
                        for: redirects.backChannelLogout?.requiresSession ?? false, of: ClientMember.demands)
                case .backChannelDelivery: [backchannel.deliveryMode.rawValue]
                case .backChannelNotificationURI: [backchannel.notificationEndpoint ?? ""]
                case .backChannelSigning: [backchannel.signingAlgorithm ?? ClientMember.noValue]
                case .backChannelUnknownPeople:
                    Self.word(for: backchannel.revealsUnknownPeople, of: ClientMember.visibilities)
                case .backChannelNumber: Self.word(for: backchannel.showsNumber, of: ClientMember.switches)
                case .backChannelUserCode: Self.word(for: backchannel.sendsUserCodes, of: ClientMember.switches)
                }
        }
    }

    private static func word(for isFirst: Bool, of words: [String]) -> [String] {
        words.isEmpty ? [] : [isFirst ? words[0] : words[words.count - 1]]
    }

    /// The field of a form with all members, in which a member without text is empty: forms have no empty fields.
    static let whole = "whole"

    /// The members that a form has.
    init(_ form: Form) {
        self.init()
        for member in ClientMember.allCases {
            guard let text = form[member.rawValue] ?? form[Self.whole].map({ _ in "" }) else { continue }
            self[member] =
                switch member.form {
                case .line, .choice: [TypedText.trimmed(text)]
                case .words: text.split { $0 == "," || $0.isWhitespace }.map { String($0) }
                case .lines: TypedText.lines(text)
                }
        }
    }

    /// The members of the draft that a client has otherwise, so that a form changes what was changed in it.
    func changing(_ client: Client) -> ClientDraft {
        let current = ClientDraft(of: client)
        var changes = self
        for member in ClientMember.allCases where self[member] == current[member] { changes[member] = nil }
        return changes
    }

    /// The fields of a form with all members.
    var fields: [AdminField] {
        ClientMember.allCases.map { member in
            let texts = self[member] ?? []
            var field = AdminField(member.rawValue, member.label, value: texts.joined(separator: " "))
            switch member.form {
            case .line: break
            case .words: field.fieldHint = .verbatim(ClientMember.grantNames.joined(separator: " "))
            case .lines:
                field.fieldValue = texts.joined(separator: "\n")
                field.fieldRows = 3
                field.fieldHint = .admin(.onePerLine)
            case .choice(let words):
                field.fieldChoices = words.map { word in
                    AdminChoice(
                        choiceValue: word, choiceTitle: .verbatim(word), choiceIsSelected: [word] == texts)
                }
            }
            return field
        }
    }

    /// The members that have a value, as facts.
    var facts: [AdminFact?] {
        ClientMember.allCases.map { member in
            AdminFact(member.label, self[member]?.joined(separator: " "), isCode: true)
        }
    }
}
