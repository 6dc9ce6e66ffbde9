package import Countersign
internal import CountersignWire
package import FoundationEssentialsCompat

/// The members of a client that an operator sets, not validated yet: as text, from a form or from options. A member
/// without text stays as it is.
package struct ClientDraft: Sendable, Equatable {
    private var texts: [ClientMember: [String]] = [:]

    /// A draft that changes nothing.
    package init() {}

    /// The text of a member; `nil` when it stays as it is. A list without members takes all away.
    package subscript(member: ClientMember) -> [String]? {
        get { texts[member] }
        set { texts[member] = newValue }
    }

    /// The client of an operator, with the usual members where the draft has no other.
    ///
    /// - Parameters:
    ///   - identifier: Its identifier.
    ///   - kind: The method of its authentication.
    ///   - created: The time of its registration.
    /// - Throws: ``ClientDraftError`` with the first thing that does not go.
    package func client(
        _ identifier: String, kind: Client.Kind, created: Date
    ) throws(ClientDraftError) -> Client {
        guard let id = ClientID(operatorsText: identifier) else { throw .badIdentifier }
        var client = Self.usual(id, kind: kind, created: created)
        let addresses = lines(.redirectURIs) ?? []
        if !addresses.isEmpty {
            // A program on the person's machine, as `signin` is, also shows a code where it finds no browser.
            let isOnDevice = addresses.allSatisfy(RedirectURIRules.isLoopback)
            client.grantTypes = [.authorizationCode] + (isOnDevice ? [.deviceCode] : []) + [.refreshToken]
        }
        try apply(to: &client)
        return client
    }

    /// A client with the usual members: a screen that shows a code.
    static func usual(_ id: ClientID, kind: Client.Kind, created: Date) -> Client {
        Client(
            id: id, name: id.rawValue, kind: kind, grantTypes: [.deviceCode, .refreshToken],
            scope: Scope([.openid, .profile]), tokenFormat: .opaque, created: created)
    }

    /// Applies the draft to a client.
    ///
    /// - Throws: ``ClientDraftError`` with the first thing that does not go.
    package func apply(to client: inout Client) throws(ClientDraftError) {
        let earlierLacks = Self.lacks(of: client)
        if let name = line(.name), name != client.name {
            guard name.isLine(of: 1...100) else { throw .badName }
            client.name = name
        }
        if let scope = line(.scope) {
            guard let scope = Scope(parsing: scope) else { throw .badScope }
            client.scope = scope
        }
        try choose(.tokenFormat, for: &client.tokenFormat)
        if let word = try word(.idTokenAlgorithm) {
            client.chosenIDTokenAlgorithm = Client.IDTokenAlgorithm(rawValue: word)
        }
        if let audience = line(.audience) { client.audience = audience.isEmpty ? nil : audience }
        if let serves = lines(.serves) { client.serves = serves }
        if let names = lines(.grantTypes) {
            var grants: [GrantType] = []
            for name in names {
                let known = GrantType.known.first { $0.rawValue == name || $0.shortName == name }
                guard let known else { throw .unknownGrant(name) }
                grants.append(known)
            }
            client.grantTypes = grants
        }
        try choose(.dpop, for: &client.dpop)
        try choose(.linkApproval, for: &client.linkApproval)
        if let text = line(.minimumEvidence) {
            guard let demands = ScopeDemands(parsing: text) else { throw .badDemands(.minimumEvidence, text) }
            client.minimumEvidence = demands
        }
        client.lifetimes = try lifetimes(of: client)
        try apply(to: &client.redirects)
        try apply(to: &client.backchannel)
        // A lack that the client had before is no reason to refuse another change.
        if let lack = Self.lacks(of: client).first(where: { !earlierLacks.contains($0) }) { throw lack }
    }

    private static func lacks(of client: Client) -> [ClientDraftError] {
        var lacks: [ClientDraftError] = []
        if client.grantTypes.contains(.authorizationCode), client.redirects.redirectURIs.isEmpty {
            lacks.append(.needsAddress(.redirectURIs))
        }
        if client.redirects.requiresSignedRequests, client.signingKeys == nil { lacks.append(.needsKeys) }
        guard client.kind == .public else { return lacks }
        if client.grantTypes.contains(.clientCredentials) { lacks.append(.credentialsNeedSecret) }
        if !client.serves.isEmpty { lacks.append(.resourceServerNeedsSecret) }
        return lacks
    }

    private func apply(to redirects: inout RedirectRegistration) throws(ClientDraftError) {
        redirects.redirectURIs = try addresses(.redirectURIs) ?? redirects.redirectURIs
        redirects.postLogoutRedirectURIs =
            try addresses(.postLogoutRedirectURIs) ?? redirects.postLogoutRedirectURIs
        if let texts = lines(.webOrigins) {
            var origins: [WebOrigin] = []
            for text in texts {
                guard let origin = WebOrigin(parsing: text) else { throw .badOrigin(.webOrigins, text) }
                origins.append(origin)
            }
            redirects.webOrigins = origins
        }
        if let address = try notificationAddress(.logoutURI) {
            let requiresSession = redirects.backChannelLogout?.requiresSession ?? false
            redirects.backChannelLogout =
                address.isEmpty ? nil : BackChannelLogout(uri: address, requiresSession: requiresSession)
        }
        if let requiresSession = try isFirst(.logoutSession) {
            guard redirects.backChannelLogout != nil else { throw .needs(.logoutSession, .logoutURI) }
            redirects.backChannelLogout?.requiresSession = requiresSession
        }
        try choose(.consent, for: &redirects.consent)
        if let word = try word(.profile) { redirects.profile = SecurityProfile(rawValue: word) }
        redirects.requiresPushedRequests = try isFirst(.pushedRequests) ?? redirects.requiresPushedRequests
        redirects.requiresSignedRequests = try isFirst(.signedRequests) ?? redirects.requiresSignedRequests
        try choose(.pkce, for: &redirects.pkce)
    }

    private func apply(to registration: inout BackchannelRegistration) throws(ClientDraftError) {
        try choose(.backChannelDelivery, for: &registration.deliveryMode)
        if let address = try notificationAddress(.backChannelNotificationURI) {
            registration.notificationEndpoint = address.isEmpty ? nil : address
        }
        if let word = try word(.backChannelSigning) {
            registration.signingAlgorithm = word == ClientMember.noValue ? nil : word
        }
        registration.revealsUnknownPeople =
            try isFirst(.backChannelUnknownPeople) ?? registration.revealsUnknownPeople
        registration.showsNumber = try isFirst(.backChannelNumber) ?? registration.showsNumber
        registration.sendsUserCodes = try isFirst(.backChannelUserCode) ?? registration.sendsUserCodes
    }

    private func lifetimes(of client: Client) throws(ClientDraftError) -> Lifetimes {
        let format = client.tokenFormat
        let longest = format == .opaque ? 86_400 : Int(Lifetimes.longestJWT)
        var lifetimes = client.lifetimes
        lifetimes.accessToken = min(lifetimes.accessToken, TimeInterval(longest))
        lifetimes.code = try seconds(.codeLifetime, in: 30...3600) ?? lifetimes.code
        lifetimes.accessToken =
            try seconds(.accessTokenLifetime, in: 10...longest, for: format) ?? lifetimes.accessToken
        lifetimes.refreshToken = try seconds(.refreshTokenLifetime, in: 60...31_536_000) ?? lifetimes.refreshToken
        return lifetimes
    }

    // MARK: Texts

    private func line(_ member: ClientMember) -> String? { texts[member].map { TypedText.trimmed($0.first ?? "") } }

    private func lines(_ member: ClientMember) -> [String]? { texts[member]?.filter { !$0.isEmpty } }

    /// The word of a member that has a few, whatever its case.
    private func word(_ member: ClientMember) throws(ClientDraftError) -> String? {
        guard case .choice(let words) = member.form, let typed = line(member) else { return nil }
        guard let word = words.first(where: { $0.lowercased() == typed.lowercased() }) else {
            throw .notOneOf(member, words)
        }
        return word
    }

    /// Whether the word of a member is the first of its two.
    private func isFirst(_ member: ClientMember) throws(ClientDraftError) -> Bool? {
        guard let word = try word(member), case .choice(let words) = member.form else { return nil }
        return word == words.first
    }

    private func choose<Value: RawRepresentable<String>>(
        _ member: ClientMember, for value: inout Value
    ) throws(ClientDraftError) {
        if let word = try word(member) { value = Value(rawValue: word) ?? value }
    }

    private func addresses(_ member: ClientMember) throws(ClientDraftError) -> [String]? {
        guard let addresses = lines(member) else { return nil }
        for address in addresses {
            if let fault = RedirectURIRules.fault(of: address) { throw .badAddress(member, address, fault) }
        }
        return addresses
    }

    /// The address that the server calls; empty for none.
    private func notificationAddress(_ member: ClientMember) throws(ClientDraftError) -> String? {
        guard let address = line(member) else { return nil }
        if !address.isEmpty, let objection = NotificationAddress.objection(to: address, isSelfRegistered: false) {
            throw .badNotificationAddress(member, address, objection)
        }
        return address
    }

    private func seconds(
        _ member: ClientMember, in range: ClosedRange<Int>, for format: Client.TokenFormat? = nil
    ) throws(ClientDraftError) -> TimeInterval? {
        guard let typed = line(member) else { return nil }
        guard let seconds = Int(typed), range.contains(seconds) else { throw .outOfRange(member, range, format) }
        return TimeInterval(seconds)
    }
}

extension ClientID {
    /// The identifier of a client that an operator registers; `nil` for anything but 1 to 128 visible ASCII characters.
    package init?(operatorsText text: String) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.init(text)
    }
}
