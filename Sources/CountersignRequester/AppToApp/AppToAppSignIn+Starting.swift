internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension AppToAppSignIn {
    /// Sends the person to the provider's app, or to the browser.
    ///
    /// Mistakes in the configuration are found first, in this order: the client id, the redirect URIs, the provider's
    /// app. Then the request is stored, and the address is opened.
    ///
    /// ```swift
    /// switch try await signIn.start(offeringStore: true) {
    /// case .opened: break
    /// case .appNotInstalled(let page?), .appTooOld(let page?): screen.offer(page)
    /// case let problem: screen.show("\(problem)")
    /// }
    /// ```
    ///
    /// - Parameter offeringStore: Whether the result names the page in the store when the provider's app is missing or
    ///   too old; never by default. There is nothing to offer if https addresses open apps: the browser takes the place
    ///   of a missing app.
    /// - Returns: The way that was opened, or the reason why none was.
    /// - Throws: ``SignInError`` when the server cannot be found, or the store cannot be used; nothing was opened then.
    ///
    /// Standard: RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8252 §8.1.
    public func start(offeringStore: Bool = false) async throws(SignInError) -> AppToAppStart {
        guard !client.identity.id.rawValue.isEmpty else { return .invalidClientID }
        let way: AppSwitch
        do throws(AppRedirects.ValidationError) {
            way = try AppSwitch(returningTo: redirects, at: client.provider, by: opener.links)
        } catch {
            return .invalidRedirect(error)
        }
        switch way.destination {
        case .webAddress:
            let server = try await server()
            guard let endpoint = server.authorization?.url.absoluteString else {
                throw SignInError(.flowNotOffered, because: "no endpoint for authorization")
            }
            return try await open(endpoint, adding: [], for: way, at: server, as: .webAddress)
        case .app(let app):
            let page = offeringStore ? app.store : nil
            guard let probe = URL(string: app.probe), await opener.canOpen(probe) else { return .appNotInstalled(page) }
            guard let place = URL(string: app.authorization), await opener.canOpen(place) else {
                return .appTooOld(page)
            }
            return try await open(app.authorization, adding: app.parameters, for: way, at: try await server(), as: .app)
        }
    }

    /// Keeps a new request, then opens its address.
    private func open(
        _ endpoint: String,
        adding parameters: [ProviderApp.Parameter],
        for way: AppSwitch,
        at server: VerifiedServer,
        as opened: AppToAppStart.Way
    ) async throws(SignInError) -> AppToAppStart {
        let pending = try requests.request(to: way.redirect, at: server)
        let address = try await requests.address(
            of: pending, at: endpoint, adding: parameters, through: conversation(with: server))
        try await SignInError.storing {
            try await forgetOldRequests()
            try await store.save(pending)
        }
        if await opener.open(address) { return .opened(opened) }
        try? await store.remove(pending.key)
        return .notOpened
    }

    /// Removes unanswered requests, so that they do not accumulate.
    private func forgetOldRequests() async throws(TokenStoreError) {
        let waiting = try await store.pendingSignIns(at: client.provider.name, as: client.identity.id)
        let excess = waiting.count - (AppToAppOptions.mostPending - 1)
        let yesterday = client.context.clock.now().addingTimeInterval(-86_400)
        for (place, pending) in waiting.enumerated() where place < excess || pending.deadline < yesterday {
            try await store.remove(pending.key)
        }
    }

    /// Forgets the requests that wait for their answer at these redirect URIs, as when the person has given up: an
    /// answer that comes later is ``AuthorizationAnswer/unasked``.
    ///
    /// - Throws: ``SignInError`` when the store cannot be used.
    public func forgetRequests() async throws(SignInError) {
        let own = [redirects.native, redirects.universal].compactMap(\.self)
        try await SignInError.storing {
            for pending in try await store.pendingSignIns(at: client.provider.name, as: client.identity.id)
            where own.contains(pending.redirectURI) {
                try await store.remove(pending.key)
            }
        }
    }
}
