public import FoundationEssentialsCompat

/// The address of one app on one device at a push service.
public struct PushToken: Secret {
    /// The address in the clear.
    public let revealed: String
    /// Creates an address from its text.
    public init(revealing text: String) { revealed = text }

    /// The address that a device sent; `nil` for an empty text, which means none.
    package init?(named text: String) {
        guard !text.isEmpty else { return nil }
        self.init(revealing: text)
    }

    /// The address of an app of UnifiedPush or Web Push.
    package init(_ subscription: WebPushSubscription) {
        self.init(revealing: subscription.text)
    }

    /// The subscription; `nil` for the token of a push service.
    package var subscription: WebPushSubscription? {
        revealed.hasPrefix("{") ? WebPushSubscription(parsing: revealed) : nil
    }
}

/// The operator's key for an app that registers devices with the older SDK; no secret, since every copy of the app has
/// it.
public struct AppKey: Identifier {
    /// The key as text.
    public let rawValue: String
    /// Creates a key from any text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A device with an app that decides requests for a person.
public struct EnrolledDevice: Sendable, Equatable {
    /// The method that proves the device's answers.
    public enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// It signs its answers by the key of its sign-in.
        case signed
        /// It shares a secret with each site, as devices with CM Authenticator SDK 4.0 do.
        case shared
    }

    /// The time without contact after which a device is removed, in seconds: 400 days.
    public static let longestSilence: TimeInterval = 400 * 86_400
    /// The time without contact after which an unclaimed device is removed, in seconds: a week. Strangers can register
    /// as many as the limits allow.
    public static let longestSilenceOfNobody: TimeInterval = 7 * 86_400

    /// The device.
    public let id: DeviceRegistration.ID
    /// The method that proves its answers.
    public let dialect: Dialect
    /// Its person; `nil` with the older SDK until a telephone number is verified.
    public var subject: Subject?
    /// The sign-in of its app, which has the device's key; `nil` with the older SDK.
    public let signIn: Grant.ID?
    /// The operator's key for the app; `nil` when the app sent none.
    public var appKey: AppKey?
    /// The details that the device sent. Fields of this record, and codes, are `nil` in it, except an offered push
    /// address of an unauthenticated device (``confirmPushToken()``).
    public var details: DeviceDetails
    /// The address for push messages; `nil` when there is none.
    public var pushToken: PushToken?
    /// Whether the person allows push messages.
    public var isPushEnabled: Bool
    /// Whether the app is a development build, whose push messages go to the sandbox.
    public var isDevelopment: Bool
    /// The time when the push service reported the address as dead; `nil` for a working address.
    public var pushDied: Date?
    /// The telephone number; `nil` when there is none.
    public var phoneNumber: PhoneNumber?
    /// The state of its registration.
    public var status: RegistrationStatus
    /// The time of its registration.
    public let created: Date
    /// The time of its last contact, to the hour.
    public var lastSeen: Date

    /// Creates a device without push messages and telephone number.
    public init(id: DeviceRegistration.ID, dialect: Dialect, subject: Subject?, signIn: Grant.ID?, created: Date) {
        self.id = id
        self.dialect = dialect
        self.subject = subject
        self.signIn = signIn
        details = DeviceDetails()
        isPushEnabled = false
        isDevelopment = false
        status = .unverified
        self.created = created
        lastSeen = created
    }
}

extension EnrolledDevice {
    /// The precision of ``lastSeen``, in seconds: an hour.
    private static let sightings: TimeInterval = 3600

    /// Whether it can receive push messages.
    public var isPushable: Bool { isPushEnabled && pushToken != nil && pushDied == nil }

    /// Applies the details that the device sent; absent members stay unchanged. Telephone numbers and codes are ignored
    /// here.
    public mutating func update(_ said: DeviceDetails) {
        details.manufacturer = said.manufacturer ?? details.manufacturer
        details.systemVersion = said.systemVersion ?? details.systemVersion
        details.appVersion = said.appVersion ?? details.appVersion
        details.appID = said.appID ?? details.appID
        details.languageCode = said.languageCode ?? details.languageCode
        details.model = said.model ?? details.model
        details.modelID = said.modelID ?? details.modelID
        details.platform = said.platform ?? details.platform
        appKey = said.appKey.map { AppKey(rawValue: $0) } ?? appKey
        // A device with the older SDK is not authenticated here.
        if dialect == .signed, let name = said.name { rename(name) }
        if let token = said.pushToken {
            pushToken = PushToken(named: token)
            pushDied = nil
        }
        if dialect == .signed, let subscription = said.pushSubscription {
            pushToken = PushToken(subscription)
            pushDied = nil
        }
        isPushEnabled = said.isPushEnabled ?? isPushEnabled
        isDevelopment = said.isDevelopment ?? isDevelopment
    }

    /// Sets the person's name for the device; an empty name removes it.
    package mutating func rename(_ name: String) {
        details.name = DeviceAuthorizationRequest.presentable(name)
    }

    /// Stores an offered push address in addition to the current one, until the device authenticates.
    ///
    /// - Parameter token: The offered address; `nil` for none.
    package mutating func offer(_ token: PushToken?) {
        details.pushToken = token?.revealed ?? ""
    }

    /// Replaces the push address by the offered one.
    ///
    /// - Returns: Whether one was offered, so that the record changed.
    package mutating func confirmPushToken() -> Bool {
        guard let token = details.pushToken else { return false }
        pushToken = PushToken(named: token)
        pushDied = nil
        details.pushToken = nil
        return true
    }

    /// Notes a contact; returns whether the record changed.
    public mutating func see(at now: Date) -> Bool {
        guard abs(now.timeIntervalSince(lastSeen)) >= Self.sightings else { return false }
        lastSeen = now
        return true
    }

    /// The state of the device for its API.
    public var registration: DeviceRegistration {
        var registration = DeviceRegistration(
            id: id, status: status, isPushEnabled: isPushEnabled, isDevelopment: isDevelopment)
        registration.phoneNumber = phoneNumber?.text
        registration.pushToken = details.pushToken ?? pushToken?.subscription?.endpoint ?? pushToken?.revealed
        return registration
    }
}

/// The enrolment of a device in a site.
public struct DeviceCustomerSite: Sendable, Equatable {
    /// The device.
    public let device: DeviceRegistration.ID
    /// The site.
    public let environment: CustomerSiteID
    /// Their shared secret, sealed under a key of the server; `nil` for a device that signs.
    public let sealedSecret: [UInt8]?
    /// The person of the shared secret; `nil` for a device that signs, which has one person.
    public let subject: Subject?
    /// The time of the enrolment.
    public let added: Date

    /// Creates an enrolment to store.
    public init(
        device: DeviceRegistration.ID,
        environment: CustomerSiteID,
        sealedSecret: [UInt8]? = nil,
        of subject: Subject? = nil,
        added: Date
    ) {
        self.device = device
        self.environment = environment
        self.sealedSecret = sealedSecret
        self.subject = subject
        self.added = added
    }
}

/// A ticket that enrols a person's device once.
public struct EnrollmentTicketRecord: Sendable, Equatable {
    /// The use of a ticket.
    public struct Use: Sendable, Equatable {
        /// The time of the use.
        public let at: Date
        /// The sign-in of the app that used it; `nil` for a device with the older SDK.
        public let signIn: Grant.ID?
        /// Whether the use created that sign-in, so that a second use ends it.
        public let gaveSignIn: Bool

        /// Describes a use.
        public init(at: Date, signIn: Grant.ID?, gaveSignIn: Bool) {
            self.at = at
            self.signIn = signIn
            self.gaveSignIn = gaveSignIn
        }
    }

    /// The digest of the ticket.
    public let digest: SecretDigest
    /// The person whose device is enrolled.
    public let subject: Subject
    /// The app that may redeem it; `nil` for every app that may redeem tickets.
    public let client: ClientID?
    /// The site of the enrolment; `nil` for none.
    public let environment: CustomerSiteID?
    /// The shared secret for a device with the older SDK, sealed under a key of the server; `nil` for other devices.
    public let sealedSecret: [UInt8]?
    /// The evidence of the person at its creation.
    public let evidence: Evidence
    /// The browser session of its creation, which it ends with; `nil` for none.
    public let session: ApproverID?
    /// The time of its creation.
    public let made: Date
    /// The expiry of the ticket.
    public let expires: Date
    /// Its use; `nil` before its first use.
    public var use: Use?

    /// Creates an unused ticket.
    public init(
        digest: SecretDigest,
        subject: Subject,
        client: ClientID? = nil,
        environment: CustomerSiteID? = nil,
        sealedSecret: [UInt8]? = nil,
        evidence: Evidence = Evidence(),
        session: ApproverID? = nil,
        made: Date,
        expires: Date
    ) {
        self.digest = digest
        self.subject = subject
        self.client = client
        self.environment = environment
        self.sealedSecret = sealedSecret
        self.evidence = evidence
        self.session = session
        self.made = made
        self.expires = expires
    }
}

extension EnrolledDevice {
    /// The identifier and the model of the device, for the audit.
    package var shownInAudit: String {
        guard let model = details.model else { return "device \(id)" }
        return "device \(id), \(model.shownInOneLine)"
    }
}
