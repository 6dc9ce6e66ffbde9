import Countersign
import CountersignServer
import CountersignWire
import Foundation

/// An instant with as many digits as a clock can give, so that rounding shows.
let noon = Date(timeIntervalSinceReferenceDate: 821_620_800.123_456_7)

/// Records with default values where a test does not care. Records of the same name are equal.
enum Fixtures {
    static let anna = ApproverIdentity(subject: Subject("anna"), id: ApproverID("annas-browser"))
    static let everyProof = Evidence([
        .accountPassword(at: noon - 60), .codeTyped, .personCodeTyped, .linkOpened,
        .nearby(how: .paired(at: noon - 0.1), sameNetwork: .yes),
    ])

    static let taking = Taking(approver: anna, evidence: everyProof, taken: noon + 10)

    static func request(
        _ name: String,
        client: ClientID = ClientID("tv"),
        domain: String? = nil,
        deadline: Date = noon + 600
    ) -> SignInRequest {
        SignInRequest(
            id: SignInRequest.ID(name),
            client: .asserted(client),
            scope: .verified(Scope([.openid, .offlineAccess])),
            domain: domain.map { .verified(Domain($0)) },
            address: .observed("2001:db8::1"),
            deviceName: .asserted("Fernseher „Küche“ 📺 '; DROP TABLE exchanges; --"),
            software: nil,
            asked: .observed(noon - 0.1),
            deadline: deadline
        )
    }

    static func grant(
        _ name: String,
        to subject: Subject = Subject("anna"),
        client: ClientID = ClientID("tv"),
        approved: Date = noon + 20
    ) -> Grant {
        Grant(
            id: Grant.ID(name),
            subject: subject,
            client: client,
            scope: Scope([.openid]),
            evidence: everyProof,
            approved: approved
        )
    }

    static func deviceCode(_ name: String) -> SecretDigest { SecretDigest(of: "device \(name)") }

    static func userCode(_ name: String) -> UserCodeDigest {
        UserCodeDigest(restoring: SecretDigest(of: "user \(name)").bytes)
    }

    static func challenge(_ name: String) -> NearbyChallenge {
        NearbyChallenge(restoring: SecretDigest(of: "challenge \(name)").bytes)
    }

    static func link(_ name: String) -> NearbyLinkID? { NearbyLinkID(SecretDigest(of: "link \(name)").bytes) }

    /// A key whose bytes are no point, which is no matter to a store.
    static func approverKey(_ name: String) -> ApproverKey {
        ApproverKey(restoring: SecretDigest(of: "x \(name)").bytes + SecretDigest(of: "y \(name)").bytes)
    }

    static func decisionNonce(
        _ name: String,
        at request: String = "request",
        expires: Date = noon + 60
    ) -> DecisionNonceRecord {
        DecisionNonceRecord(
            method: .nearby,
            nonce: SecretDigest(of: name),
            request: SignInRequest.ID(request),
            subject: Subject("anna"),
            signIn: Grant.ID("annas phone"),
            shown: AnswerDigest(of: Array(name.utf8)),
            expires: expires
        )
    }

    static func decision(_ request: String, decided: Date = noon) -> SignedDecisionRecord {
        SignedDecisionRecord(
            request: SignInRequest.ID(request),
            subject: Subject("anna"),
            signIn: Grant.ID("annas phone"),
            key: approverKey(request),
            decided: decided,
            signed: "a.b.c"
        )
    }

    static func exchange(
        _ name: String,
        in state: SignInExchange.State = .open,
        deadline: Date = noon + 600,
        nearbyChallenge: NearbyChallenge? = nil
    ) -> SignInExchangeRecord {
        SignInExchangeRecord(
            exchange: SignInExchange(restoring: request(name, deadline: deadline), in: state),
            requestCode: deviceCode(name),
            method: .deviceCode(userCode(name), nearby: nearbyChallenge),
            interval: 5
        )
    }

    /// A request of a browser at the sign-in page.
    static func asking(_ name: String) -> SignInExchangeRecord {
        let visit = BrowserSignInTerms.EarlierVisit(stamp: "1.nonce.1", code: SecretDigest(of: "code"))
        return SignInExchangeRecord(
            exchange: SignInExchange(request: request(name)),
            requestCode: deviceCode(name),
            method: .browserSession(
                userCode(name), BrowserSignInTerms(of: SecretDigest(of: "cookie \(name)"), earlierVisits: [visit])),
            interval: 5
        )
    }

    /// A request to one person, with all that a request can have.
    static func addressed(
        _ name: String,
        to subject: Subject = Subject("anna"),
        by client: ClientID = ClientID("9007199254740991"),
        for domain: Domain? = Domain("sp.example.com:8002"),
        asked: Date = noon,
        in state: SignInExchange.State = .open,
        deadline: Date = noon + 600,
        method: SignInMethod = .backchannel(
            BackchannelTerms(deliveryMode: .ping, bindingMessage: BindingMessage("Beleg „4711“")))
    ) -> SignInExchangeRecord {
        let request = SignInRequest(
            id: SignInRequest.ID(name),
            client: .verified(client),
            scope: .verified(.none),
            domain: domain.map { .verified($0) },
            addressee: subject,
            software: .asserted("ch.rts.radio 1.0"),
            asked: .observed(asked),
            deadline: deadline
        )
        return SignInExchangeRecord(
            exchange: SignInExchange(restoring: request, in: state),
            requestCode: deviceCode(name),
            method: method,
            interval: 5
        )
    }

    /// The terms of a request of a bank.
    static func siteTerms(_ digits: CustomerSiteTerms.Digits) -> CustomerSiteTerms {
        var terms = CustomerSiteTerms(
            digits,
            environment: CustomerSiteID("bank"),
            secret: CustomerSiteSecretReference(to: CustomerSiteSecret(revealing: "secret")),
            messageType: .push,
            askedNumber: Subject("nobody")
        )
        terms.message = "Pay „5 €“"
        terms.address = "192.0.2.1"
        return terms
    }

    static func device(_ name: String, expires: Date = noon + 600, undone: Date? = nil) -> Client {
        Client(
            id: ClientID(name),
            registration: .device(ClientSoftware(id: "ch.rts.Radio „Küche“", version: ""), expires: expires),
            name: "Radio",
            kind: .confidential(SecretDigest(of: name)),
            grantTypes: [.crossPlatformDeviceCode, .crossPlatformClientCredentials],
            scope: .none,
            tokenFormat: .opaque,
            created: noon,
            undone: undone
        )
    }

    static func registered(_ name: String, expires: Date? = nil, software: ClientSoftware? = nil) -> Client {
        Client(
            id: ClientID(name),
            registration: .dynamic(
                DynamicRegistration(
                    token: SecretDigest(of: "registration \(name)"),
                    expires: expires,
                    method: .clientSecretPost,
                    software: software,
                    allowance: RegistrationAllowance(
                        clientCredentials: true, scope: Scope([ScopeWord("read")]), serves: ["https://a.example"])
                )
            ),
            name: "A shop",
            kind: .confidential(SecretDigest(of: name)),
            grantTypes: [.authorizationCode],
            scope: Scope([.openid]),
            tokenFormat: .opaque,
            created: noon
        )
    }

    static func initialAccessToken(_ name: String, created: Date = noon, expires: Date = noon + 600)
        -> InitialAccessToken
    {
        InitialAccessToken(
            id: InitialAccessToken.ID(name),
            token: SecretDigest(of: "initial \(name)"),
            allowance: RegistrationAllowance(
                clientCredentials: true, scope: Scope([ScopeWord("read"), ScopeWord("write")]), serves: ["ü"]),
            uses: 3,
            created: created,
            expires: expires
        )
    }

    static func domain(_ name: String, credential: String? = nil) -> ServiceDomain {
        ServiceDomain(
            name: Domain(name),
            displayName: "Radio „Küche“ 📻",
            credential: SecretDigest(of: credential ?? name),
            signOn: .automatic,
            group: "öffentlich",
            redirectURIs: ["https://sp.example.com/done?a=1", "radio:\"done\""],
            tokenLifetime: 86_400.5,
            created: noon
        )
    }

    static func client(_ name: String) -> Client {
        Client(
            id: ClientID(name),
            name: "Fernseher „Küche“ 📺",
            kind: .confidential(SecretDigest(of: name)),
            grantTypes: [.deviceCode, .refreshToken],
            scope: Scope([.openid, .profile]),
            tokenFormat: .es256,
            audience: "https://api.example",
            serves: ["https://a.example", "https://b.example"],
            lifetimes: Lifetimes(code: 300.5),
            dpop: .requiredWithNonce,
            backchannel: BackchannelRegistration(
                deliveryMode: .push,
                notificationEndpoint: "https://a.example/entschieden?a=1",
                signingAlgorithm: "PS256",
                revealsUnknownPeople: true
            ),
            created: noon
        )
    }

    static let proofKey = SenderKey.proof(KeyThumbprint("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"))
    static let certificateKey = SenderKey.certificate(
        CertificateThumbprint("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"))

    static let keys = JSONWebKeySet(keys: [
        .p256(id: JSONWebKey.ID("one"), x: [UInt8](repeating: 1, count: 32), y: [UInt8](repeating: 2, count: 32)),
        .rsa(id: JSONWebKey.ID("two"), modulus: [UInt8](repeating: 3, count: 256), exponent: [1, 0, 1]),
    ])

    static func person(_ name: String, username: String? = nil) -> Person {
        Person(
            subject: Subject(name),
            username: Username(rawValue: username ?? name),
            name: "Zoë Ångström 李",
            email: "zoe@example.org",
            isEmailVerified: true,
            emailVerification: SentCode(
                SecretDigest(of: "code"), to: EmailAddress("zoë@example.org"), sent: noon + 30, wrong: 2),
            profile: PersonProfile(
                locale: "de-AT", zoneInfo: "Europe/Vienna", updated: noon + 30.5,
                attributes: [AttributeName("room"): "„1“", AttributeName("department"): "Sales"]),
            password: PasswordHash(restoring: "$scrypt$ln=10,r=8,p=1$c2FsdA$aGFzaA"),
            passwordChanged: noon + 60.5,
            standing: .locked,
            role: .helpdesk,
            created: noon
        )
    }

    static func session(_ name: String, of subject: Subject = Subject("anna"), expires: Date = noon + 600)
        -> BrowserSession
    {
        BrowserSession(
            cookie: SecretDigest(of: "cookie \(name)"),
            id: ApproverID(name),
            subject: subject,
            authenticated: noon,
            expires: expires,
            at: BrowserDetails(name: "Firefox, Linux", address: "2001:db8::1"),
            lastUsed: noon + 0.25
        )
    }

    static func signIn(
        _ name: String,
        of subject: Subject = Subject("anna"),
        client: ClientID = ClientID("tv"),
        signedIn: Date = noon,
        ends: Date = noon + 600,
        domain: String? = nil,
        session: SessionReference? = nil,
        isFromTicket: Bool = false
    ) -> SignInRecord {
        SignInRecord(
            grant: grant(name, to: subject, client: client),
            request: request(name, client: client, domain: domain),
            signedIn: signedIn,
            lastUsed: signedIn + 0.25,
            ends: ends,
            session: session,
            isFromTicket: isFromTicket
        )
    }

    static func accessToken(
        _ name: String,
        grant: Grant.ID? = Grant.ID("grant"),
        client: ClientID = ClientID("tv"),
        audience: String = "https://api.example/ü",
        expires: Date = noon + 600,
        key: SenderKey? = nil,
        token: SecretDigest? = nil
    ) -> AccessTokenRecord {
        AccessTokenRecord(
            token: token ?? SecretDigest(of: "access \(name)"),
            id: TokenID(name),
            client: client,
            subject: grant == nil ? nil : Subject("anna"),
            grant: grant,
            scope: grant == nil ? .none : Scope([.profile, .openid]),
            audience: audience,
            issued: noon,
            expires: expires,
            key: key,
            evidence: grant == nil
                ? nil : EvidenceClaim(Evidence([.codeTyped, .numberMatched, .network(.no), .userVerified(at: noon)]))
        )
    }

    static func refreshToken(
        _ name: String,
        grant: Grant.ID = Grant.ID("grant"),
        generation: Int = 1,
        expires: Date = noon + 600,
        key: SenderKey? = nil
    ) -> RefreshTokenRecord {
        RefreshTokenRecord(
            family: SecretDigest(of: "family \(name)"),
            token: SecretDigest(of: "refresh \(name) \(generation)"),
            grant: grant,
            client: ClientID("tv"),
            issued: noon,
            expires: expires,
            key: key
        )
    }

    static func serverKey(_ name: String, created: Date = noon) -> ServerKey {
        ServerKey(
            id: JSONWebKey.ID(name),
            purpose: .signRS256,
            secretBytes: Array(0...255),
            created: created,
            activates: created + 60
        )
    }
}
