internal import FoundationEssentialsCompat

/// A passkey with a verified assertion; made by ``PasskeyService`` alone.
struct ProvenPasskey: Sendable {
    /// The passkey as it is stored.
    let known: PasskeyRecord
    /// The same with its new counter.
    let seen: PasskeyRecord
    /// The audit entry for a counter of a synchronised key that did not rise; `nil` usually.
    fileprivate let lowerCounter: AuditEntry.Facts?
    /// The digest and the expiry of the answered challenge.
    fileprivate let challenge: (digest: SecretDigest, ends: Date)

    fileprivate init(
        known: PasskeyRecord, seen: PasskeyRecord, lowerCounter: AuditEntry.Facts?, challenge: (SecretDigest, Date)
    ) {
        self.known = known
        self.seen = seen
        self.lowerCounter = lowerCounter
        self.challenge = challenge
    }
}

/// Registers passkeys, and verifies their assertions.
struct PasskeyService: Sendable {
    /// The refusal of a passkey.
    enum CeremonyError: Error, Sendable, Equatable {
        /// The challenge belongs to another browser, or has expired.
        case staleChallenge
        /// The challenge was answered before.
        case usedChallenge
        /// There is no such passkey.
        case unknown
        /// It is registered already, for this person or another.
        case alreadyRegistered
        /// The person has the maximum number of passkeys.
        case tooMany
        /// Its counter did not rise, so its key may have been copied.
        case counterWentBack
        /// The browser's message is invalid.
        case message(PasskeyError)
    }

    /// The maximum number of passkeys of one person.
    static let most = 20

    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let clock: TimeSource
    /// The relying party; `nil` where browsers create no passkeys: for an insecure issuer or an IP address other than
    /// loopback.
    let party: RelyingParty?
    /// The display name of the relying party.
    let siteName: String
    let notices: AccountNotices

    /// The relying party of a server: its host, the origin of its pages, and the operator's apps.
    ///
    /// A server at a loopback address also has the name `localhost`, which its passkeys belong to.
    /// Standard: Web Authentication Level 3 §5.1.3: an IP address is no valid domain.
    static func party(of issuer: Issuer, apps: Set<AndroidAppOrigin> = []) -> RelyingParty? {
        guard let named = issuer.url.host(), let scheme = issuer.url.scheme else { return nil }
        let host = !issuer.isSecure && ["127.0.0.1", "::1"].contains(named) ? "localhost" : named
        guard !host.contains(":"), !host.allSatisfy({ $0.isNumber || $0 == "." }),
            issuer.isSecure || host == "localhost"
        else { return nil }
        let port = issuer.url.port.map { ":\($0)" } ?? ""
        return RelyingParty(id: host, origin: WebOrigin(rawValue: "\(scheme)://\(host)\(port)"), apps: apps)
    }

    // MARK: Asking

    /// The options for the registration of a passkey; `nil` where there are no passkeys.
    func creation(for person: Person, in cookie: BrowserCookie) async throws -> CredentialCreationOptions? {
        guard let party, let handle = PasskeyRecord.userHandle(of: person.subject) else { return nil }
        let known = try await store.read { try $0.passkeys.all(of: person.subject) }
        return CredentialCreationOptions(
            for: party,
            named: siteName,
            user: .init(id: handle, name: person.username.rawValue, displayName: person.name),
            challenge: try await challenge(for: .registration(person.subject), in: cookie),
            excluding: known.map { CredentialDescriptor($0.passkey.id, transports: $0.passkey.transports) }
        )
    }

    /// The options for an assertion; `nil` where there are no passkeys.
    ///
    /// - Parameter allowed: The allowed passkeys; any by default.
    func request(
        for purpose: CeremonyPurpose, in cookie: BrowserCookie, allowing allowed: [PasskeyRecord] = []
    ) async throws -> CredentialRequestOptions? {
        guard let party else { return nil }
        return CredentialRequestOptions(
            for: party,
            challenge: try await challenge(for: purpose, in: cookie),
            allowing: allowed.map { CredentialDescriptor($0.passkey.id, transports: $0.passkey.transports) }
        )
    }

    private func challenge(for purpose: CeremonyPurpose, in cookie: BrowserCookie) async throws -> CeremonyChallenge {
        try await keys.current().challenge(for: purpose, in: cookie, at: clock.now(), by: mint)
    }

    // MARK: Answers

    /// Stores a new passkey of the person who is signed in.
    ///
    /// - Parameters:
    ///   - json: The browser's message about the new credential.
    ///   - name: The person's name for it.
    /// - Throws: ``CeremonyError``; ``SessionEndedError``; ``StoreUnavailableError``.
    func register(
        _ json: String, named name: String, by visitor: SignedInVisitor, in cookie: BrowserCookie, from address: String?
    ) async throws {
        let passkey = try await registered(json, named: name, by: visitor.person.subject, in: cookie)
        try await store.changeWays(of: visitor, at: passkey.record.created) { try add(passkey, from: address, in: $0) }
    }

    /// A new passkey with a verified registration; made by ``PasskeyService`` alone.
    struct NewPasskey: Sendable {
        let record: PasskeyRecord
        /// The digest and the expiry of the answered challenge.
        fileprivate let challenge: (digest: SecretDigest, ends: Date)

        fileprivate init(_ record: PasskeyRecord, answering challenge: (SecretDigest, Date)) {
            self.record = record
            self.challenge = challenge
        }
    }

    /// Verifies the browser's message about a new credential. ``add(_:from:in:)`` stores it.
    ///
    /// - Parameters:
    ///   - json: The browser's message.
    ///   - name: The person's name for the passkey.
    ///   - subject: The person, who may be created together with it.
    ///   - cookie: The cookie of the browser.
    /// - Throws: ``CeremonyError``; ``StoreUnavailableError``.
    func registered(
        _ json: String, named name: String, by subject: Subject, in cookie: BrowserCookie
    ) async throws -> NewPasskey {
        guard let party, let handle = PasskeyRecord.userHandle(of: subject) else { throw CeremonyError.unknown }
        let (registration, challenge) = try await verifiedRegistration(
            json, by: subject, in: cookie, for: party, handle)
        let record = PasskeyRecord(passkey: registration.passkey, subject: subject, name: name, created: clock.now())
        return NewPasskey(record, answering: challenge)
    }

    /// Stores a new passkey, with an audit entry, in the change that depends on it.
    ///
    /// - Throws: ``CeremonyError``.
    func add(_ passkey: NewPasskey, from address: String?, in repositories: any Repositories) throws {
        let record = passkey.record
        try Self.use(passkey.challenge, in: repositories)
        guard try repositories.passkeys.all(of: record.subject).count < Self.most else { throw CeremonyError.tooMany }
        do {
            try repositories.passkeys.insert(record)
        } catch StoreError.alreadyExists {
            throw CeremonyError.alreadyRegistered
        }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: record.created, .passkeyAdded, by: .person, subject: record.subject, address: address,
                detail: record.shownInAudit))
    }

    private func verifiedRegistration(
        _ json: String, by subject: Subject, in cookie: BrowserCookie, for party: RelyingParty, _ handle: UserHandle
    ) async throws -> (VerifiedRegistration, (SecretDigest, Date)) {
        let keys = try await keys.current()
        do throws(PasskeyError) {
            let unverified = try UnverifiedRegistration(json: json.utf8)
            guard
                let end = keys.end(
                    of: unverified.challenge, for: .registration(subject), in: cookie, at: clock.now())
            else { throw PasskeyError(.wrongChallenge, because: "not ours, or too old") }
            // No attestation was requested, so any attestation is ignored.
            let verified = try unverified.verified(
                for: party, answering: unverified.challenge, of: handle, acceptingUnreadAttestation: true)
            return (verified, (unverified.challenge.digest, end))
        } catch {
            throw error.code == .wrongChallenge ? CeremonyError.staleChallenge : CeremonyError.message(error)
        }
    }

    /// Verifies an assertion for a purpose in this browser. ``accept(_:in:)`` consumes the challenge later, in the
    /// change that depends on it.
    ///
    /// - Parameters:
    ///   - json: The browser's message with the assertion.
    ///   - address: The network address of the browser, for the audit.
    /// - Throws: ``CeremonyError``; ``StoreUnavailableError``.
    func verify(
        _ json: String, for purpose: CeremonyPurpose, in cookie: BrowserCookie, from address: String?
    ) async throws -> ProvenPasskey {
        guard let party else { throw CeremonyError.unknown }
        let unverified = try Self.reading { () throws(PasskeyError) in try UnverifiedAssertion(json: json.utf8) }
        let challenge = unverified.challenge
        let now = clock.now()
        guard let end = try await keys.current().end(of: challenge, for: purpose, in: cookie, at: now) else {
            throw CeremonyError.staleChallenge
        }
        guard let known = try await store.read({ try $0.passkeys.find(unverified.credential) }) else {
            throw CeremonyError.unknown
        }
        let outcome = try Self.reading { () throws(PasskeyError) in
            try unverified.verified(by: known.passkey, for: party, answering: challenge)
        }
        switch outcome {
        case .accepted(let assertion):
            var seen = known
            seen.passkey = assertion.passkey
            seen.lastUsed = now
            let lower = assertion.earlierCounter.map {
                Self.facts(.passkeyCounterLowered, .person, of: known, $0, assertion.passkey.counter, address, at: now)
            }
            return ProvenPasskey(known: known, seen: seen, lowerCounter: lower, challenge: (challenge.digest, end))
        case .counterWentBack(let from, let to):
            let facts = Self.facts(.passkeyCounterWentBack, .stranger, of: known, from, to, address, at: now)
            try await store.change { try Audit($0).record(facts) }
            throw CeremonyError.counterWentBack
        }
    }

    /// The audit entry about a counter that did not rise.
    private static func facts(
        _ act: AuditAct,
        _ actor: AuditActor,
        of known: PasskeyRecord,
        _ earlier: UInt32,
        _ counter: UInt32,
        _ address: String?,
        at now: Date
    ) -> AuditEntry.Facts {
        AuditEntry.Facts(
            at: now, act, by: actor, subject: known.subject, address: address,
            detail: "\(known.shownInAudit): from \(earlier) to \(counter)")
    }

    private static func reading<Value>(_ body: () throws(PasskeyError) -> Value) throws(CeremonyError) -> Value {
        do throws(PasskeyError) {
            return try body()
        } catch {
            throw CeremonyError.message(error)
        }
    }

    /// Consumes an assertion in the change that depends on it.
    ///
    /// - Throws: ``CeremonyError`` when the challenge was answered before, or the passkey was removed or used since.
    func accept(_ proven: ProvenPasskey, in repositories: any Repositories) throws {
        try Self.use(proven.challenge, in: repositories)
        guard let stored = try repositories.passkeys.find(proven.known.passkey.id),
            stored.subject == proven.known.subject
        else { throw CeremonyError.unknown }
        // Another sign-in used it meanwhile. Copies of a synchronised key have separate counters.
        guard stored.passkey.counter == proven.known.passkey.counter || stored.passkey.isBackupEligible else {
            throw CeremonyError.counterWentBack
        }
        try repositories.passkeys.update(proven.seen)
        if let facts = proven.lowerCounter { try Audit(repositories).record(facts) }
    }

    private static func use(_ challenge: (digest: SecretDigest, ends: Date), in repositories: any Repositories) throws {
        do {
            try repositories.passkeys.use(challenge.digest, until: challenge.ends)
        } catch StoreError.alreadyExists {
            throw CeremonyError.usedChallenge
        }
    }

    // MARK: Removing

    /// The result of removing a passkey.
    enum Removal: Sendable, Equatable {
        case done
        /// The person has no such passkey.
        case nothing
        /// It is the last way for the person to sign in.
        case lastWay
    }

    /// Removes a passkey of the person who is signed in, unless it is their last way to sign in.
    func remove(_ id: CredentialID, of visitor: SignedInVisitor, from address: String?) async throws -> Removal {
        let subject = visitor.person.subject
        let now = clock.now()
        return try await store.changeWays(of: visitor, at: now) { [notices] repositories in
            guard let record = try repositories.passkeys.all(of: subject).first(where: { $0.passkey.id == id }) else {
                return .nothing
            }
            guard try WayToSignIn.passkey(id).hasAlternative(for: subject, in: repositories) else { return .lastWay }
            _ = try repositories.passkeys.remove(id, of: subject)
            try notices.tell(.passkeyRemoved, to: subject, at: now, in: repositories)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .passkeyRemoved, by: .person, subject: subject, address: address,
                    detail: record.shownInAudit)
            )
            return .done
        }
    }
}

extension PasskeyRecord {
    /// The name of the passkey and its credential, for the audit.
    fileprivate var shownInAudit: String { "\(name), \(passkey.id.shownShort)" }
}

extension CredentialID {
    /// The first characters, for the audit: identifiers may have a thousand bytes.
    fileprivate var shownShort: String { rawValue.count > 24 ? "\(rawValue.prefix(24))…" : rawValue }
}

/// One way for a person to sign in.
enum WayToSignIn: Sendable, Equatable {
    case passkey(CredentialID)
    case identity(IdentityIssuer, String)

    /// Whether a person has another way to sign in: a password, a passkey, or an identity at a provider on the sign-in
    /// page.
    func hasAlternative(for subject: Subject, in repositories: any Repositories) throws -> Bool {
        if try repositories.people.find(subject)?.password != nil { return true }
        if try repositories.passkeys.all(of: subject).contains(where: { .passkey($0.passkey.id) != self }) {
            return true
        }
        let usable = try repositories.identityProviders.all().filter(\.isOnLoginPage).map(\.issuer)
        return try repositories.identities.all(of: subject).contains { identity in
            usable.contains(identity.issuer) && .identity(identity.issuer, identity.subject) != self
        }
    }
}
