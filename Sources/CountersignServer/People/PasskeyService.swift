internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A passkey that signed for this server; made by ``PasskeyService`` alone.
struct ProvenPasskey: Sendable {
    /// The passkey as it was stored when it was found.
    let known: PasskeyRecord
    /// The same with its new counter.
    let seen: PasskeyRecord
    /// A counter that did not rise, of a key that may be synchronised, for the audit; `nil` usually.
    fileprivate let lowerCounter: AuditEntry.Facts?
    /// The digest of the challenge that was answered, and when it ends.
    fileprivate let challenge: (digest: SecretDigest, ends: Date)

    fileprivate init(
        known: PasskeyRecord,
        seen: PasskeyRecord,
        lowerCounter: AuditEntry.Facts?,
        challenge: (SecretDigest, Date)
    ) {
        self.known = known
        self.seen = seen
        self.lowerCounter = lowerCounter
        self.challenge = challenge
    }
}

/// Registers passkeys, and verifies what they sign.
struct PasskeyService: Sendable {
    /// Why a passkey is refused.
    enum CeremonyError: Error, Sendable, Equatable {
        /// The challenge is not one of this browser, or is too old.
        case staleChallenge
        /// The challenge was answered before.
        case usedChallenge
        /// There is no such passkey.
        case unknown
        /// It is registered already, for this person or another.
        case alreadyRegistered
        /// The person has as many as they may have.
        case tooMany
        /// Its counter did not rise, so that there may be a copy of its key.
        case counterWentBack
        /// The browser's message is not good.
        case message(PasskeyError)
    }

    /// The most passkeys of one person.
    static let most = 20

    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let clock: TimeSource
    /// The relying party; `nil` where browsers create no passkeys: if the issuer is another IP address than one of this
    /// machine, or insecure.
    let party: RelyingParty?
    /// The name of the server, which browsers may show.
    let siteName: String

    /// The relying party of a server: its host, the origin of its pages, and the operator's own apps.
    ///
    /// A server at an address of this machine is reached by the name `localhost` too, and its passkeys belong there.
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

    /// The options that a page gives a browser for making a passkey; `nil` where there are no passkeys.
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

    /// The options that a page gives a browser for signing with a passkey; `nil` where there are no passkeys.
    ///
    /// - Parameter allowed: The passkeys that may sign; any by default.
    func request(
        for purpose: CeremonyPurpose,
        in cookie: BrowserCookie,
        allowing allowed: [PasskeyRecord] = []
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
        _ json: String,
        named name: String,
        by visitor: SignedInVisitor,
        in cookie: BrowserCookie,
        from address: String?
    ) async throws {
        let subject = visitor.person.subject
        guard let party, let handle = PasskeyRecord.userHandle(of: subject) else { throw CeremonyError.unknown }
        let now = clock.now()
        let (registration, challenge) = try await verifiedRegistration(
            json, by: subject, in: cookie, for: party, handle)
        let record = PasskeyRecord(passkey: registration.passkey, subject: subject, name: name, created: now)
        do {
            try await store.change(for: visitor, at: now) { repositories in
                try Self.use(challenge, in: repositories)
                guard try repositories.passkeys.all(of: subject).count < Self.most else { throw CeremonyError.tooMany }
                try repositories.passkeys.insert(record)
                try Audit(repositories).record(
                    AuditEntry.Facts(
                        at: now, .passkeyAdded, by: .person, subject: subject, address: address,
                        detail: record.shownInAudit)
                )
            }
        } catch StoreError.alreadyExists {
            throw CeremonyError.alreadyRegistered
        }
    }

    private func verifiedRegistration(
        _ json: String,
        by subject: Subject,
        in cookie: BrowserCookie,
        for party: RelyingParty,
        _ handle: UserHandle
    ) async throws -> (VerifiedRegistration, (SecretDigest, Date)) {
        let keys = try await keys.current()
        do throws(PasskeyError) {
            let unverified = try UnverifiedRegistration(json: json.utf8)
            guard
                let end = keys.end(
                    of: unverified.challenge, for: .registration(subject), in: cookie, at: clock.now())
            else { throw PasskeyError(.wrongChallenge, because: "not ours, or too old") }
            // No attestation was asked for, so one that comes all the same counts as none.
            let verified = try unverified.verified(
                for: party, answering: unverified.challenge, of: handle, acceptingUnreadAttestation: true)
            return (verified, (unverified.challenge.digest, end))
        } catch {
            throw error.code == .wrongChallenge ? CeremonyError.staleChallenge : CeremonyError.message(error)
        }
    }

    /// Verifies that a passkey signed for a purpose in this browser. The challenge is not used up yet: that belongs to
    /// the change that is made because of it (``accept(_:in:at:)``).
    ///
    /// - Parameters:
    ///   - json: The browser's message with the assertion.
    ///   - address: The network address of the browser, for the audit.
    /// - Throws: ``CeremonyError``; ``StoreUnavailableError``.
    func verify(
        _ json: String,
        for purpose: CeremonyPurpose,
        in cookie: BrowserCookie,
        from address: String?
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

    /// The content of an audit entry about a counter that did not rise.
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

    /// Uses up what a passkey signed, in the change that is made because of it.
    ///
    /// - Throws: ``CeremonyError`` when the challenge was answered before, or the passkey was removed or used meanwhile.
    func accept(_ proven: ProvenPasskey, in repositories: any Repositories) throws {
        try Self.use(proven.challenge, in: repositories)
        guard let stored = try repositories.passkeys.find(proven.known.passkey.id),
            stored.subject == proven.known.subject
        else { throw CeremonyError.unknown }
        // Another sign-in with it came in between; copies of a synchronised key each count for themselves.
        guard stored.passkey.counter == proven.known.passkey.counter || stored.passkey.isBackupEligible else {
            throw CeremonyError.counterWentBack
        }
        try repositories.passkeys.update(proven.seen)
        if let facts = proven.lowerCounter { try Audit(repositories).record(facts) }
    }

    private static func use(
        _ challenge: (digest: SecretDigest, ends: Date),
        in repositories: any Repositories
    ) throws {
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
        /// The person could not sign in any more.
        case lastWay
    }

    /// Removes a passkey of the person who is signed in, unless it is their last way to sign in.
    func remove(_ id: CredentialID, of visitor: SignedInVisitor, from address: String?) async throws -> Removal {
        let subject = visitor.person.subject
        let now = clock.now()
        return try await store.change(for: visitor, at: now) { repositories in
            guard let record = try repositories.passkeys.all(of: subject).first(where: { $0.passkey.id == id }) else {
                return .nothing
            }
            guard try WayToSignIn.passkey(id).hasAlternative(for: subject, in: repositories) else { return .lastWay }
            _ = try repositories.passkeys.remove(id, of: subject)
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
    /// The name that its person gave it, as the account page and the command show it, and its credential.
    fileprivate var shownInAudit: String { "\(name), \(passkey.id.shownShort)" }
}

extension CredentialID {
    /// Its first characters, for the audit: some authenticators have names of a thousand bytes.
    fileprivate var shownShort: String { rawValue.count > 24 ? "\(rawValue.prefix(24))…" : rawValue }
}

/// One way for a person to sign in.
enum WayToSignIn: Sendable, Equatable {
    case passkey(CredentialID)
    case identity(IdentityIssuer, String)

    /// Whether a person can sign in by something else: a password, a passkey, or an identity at another
    /// provider that is on the sign-in page.
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
