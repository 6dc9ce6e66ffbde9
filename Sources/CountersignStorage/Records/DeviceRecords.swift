public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The address of one app on one device at a push service.
public struct PushToken: Secret {
    /// The address in the clear.
    public let revealed: String
    /// Takes over an address that a device sent or that is read back from a store.
    public init(revealing text: String) { revealed = text }

    /// The address that a device named; `nil` for an empty text, which means that it has none.
    package init?(named text: String) {
        guard !text.isEmpty else { return nil }
        self.init(revealing: text)
    }
}

/// The operator's key for an app that registers devices of the older dialect; no secret, since every copy of the app
/// has it.
public struct AppKey: Identifier {
    /// The key as text.
    public let rawValue: String
    /// Creates a key from any text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A device with an app that answers requests for a person.
public struct EnrolledDevice: Sendable, Equatable {
    /// The method that proves the device's answers.
    public enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// It signs them by the key of its sign-in.
        case signed
        /// It shares a secret with each site, as devices with CM Authenticator SDK 4.0 do.
        case shared
    }

    /// The time after which a device that is not seen is removed, in seconds: 400 days.
    public static let longestSilence: TimeInterval = 400 * 86_400
    /// The time after which a device that is not seen is removed while it is nobody's, is in no site and waits
    /// for no number that is moving, in seconds: a week. Strangers make as many as the limits allow.
    public static let longestSilenceOfNobody: TimeInterval = 7 * 86_400

    /// The device.
    public let id: DeviceRegistration.ID
    /// The method that proves its answers.
    public let dialect: Dialect
    /// The person who answers; `nil` in the older dialect until a telephone number is proved.
    public var subject: Subject?
    /// The sign-in of the app on it, which has the device's key; `nil` in the older dialect.
    public let signIn: Grant.ID?
    /// The key that the operator gave to the app; `nil` when it named none.
    public var appKey: AppKey?
    /// The details that the device gave of itself. Members that this record has beside them, and codes, are `nil` here;
    /// except for an address for push messages that was offered without showing who offers it (``confirmPushToken()``).
    public var details: DeviceDetails
    /// The address for push messages; `nil` when there is none.
    public var pushToken: PushToken?
    /// Whether the person allows push messages.
    public var isPushEnabled: Bool
    /// Whether the app was made for development, so that its push messages go to the sandbox.
    public var isDevelopment: Bool
    /// The time of the push service's report that the address is dead; `nil` while there is none.
    public var pushDied: Date?
    /// The telephone number; `nil` when there is none.
    public var phoneNumber: PhoneNumber?
    /// The state of its registration.
    public var status: RegistrationStatus
    /// The time of its registration.
    public let created: Date
    /// The time of its last sighting, to the hour.
    public var lastSeen: Date

    /// Creates a device to store, which gets no push messages and has no telephone number.
    public init(
        id: DeviceRegistration.ID,
        dialect: Dialect,
        subject: Subject?,
        signIn: Grant.ID?,
        created: Date
    ) {
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

    /// Whether push messages can be sent to it.
    public var isPushable: Bool { isPushEnabled && pushToken != nil && pushDied == nil }

    /// Takes over what the device says of itself now; members that it left out stay as they are. Telephone numbers and
    /// codes are left to the party that proves them.
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
        // In the older dialect nothing proves who says it.
        if dialect == .signed, let name = said.name { rename(name) }
        if let token = said.pushToken {
            pushToken = PushToken(named: token)
            pushDied = nil
        }
        isPushEnabled = said.isPushEnabled ?? isPushEnabled
        isDevelopment = said.isDevelopment ?? isDevelopment
    }

    /// Gives the device the name that tells it from the person's other devices; an empty one removes it.
    package mutating func rename(_ name: String) {
        details.name = DeviceAuthorizationRequest.presentable(name)
    }

    /// Keeps an address for push messages beside the one that is used, until the device shows that it is itself.
    ///
    /// - Parameter token: The offered address; `nil` to have none.
    package mutating func offer(_ token: PushToken?) {
        details.pushToken = token?.revealed ?? ""
    }

    /// Uses the address for push messages that was offered last.
    ///
    /// - Returns: Whether there was one, so that the record changed.
    package mutating func confirmPushToken() -> Bool {
        guard let token = details.pushToken else { return false }
        pushToken = PushToken(named: token)
        pushDied = nil
        details.pushToken = nil
        return true
    }

    /// Notes that the device was seen; returns whether the record changed.
    public mutating func see(at now: Date) -> Bool {
        guard abs(now.timeIntervalSince(lastSeen)) >= Self.sightings else { return false }
        lastSeen = now
        return true
    }

    /// The state of the device, as it is answered to it.
    public var registration: DeviceRegistration {
        var registration = DeviceRegistration(
            id: id,
            status: status,
            isPushEnabled: isPushEnabled,
            isDevelopment: isDevelopment
        )
        registration.phoneNumber = phoneNumber?.text
        registration.pushToken = details.pushToken ?? pushToken?.revealed
        return registration
    }
}

/// The enrolment of a device in a site.
public struct DeviceCustomerSite: Sendable, Equatable {
    /// The device.
    public let device: DeviceRegistration.ID
    /// The site.
    public let environment: CustomerSiteID
    /// The secret that both share, sealed under a key of the server; `nil` for a device that signs by its own key.
    public let sealedSecret: [UInt8]?
    /// The person whom the shared secret stands for; `nil` for a device that signs by its own key, which is one
    /// person's.
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
        /// The sign-in of the app that used it; `nil` for a device of the older dialect.
        public let signIn: Grant.ID?
        /// Whether the ticket gave that sign-in, so that a second use ends it.
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
    /// The only app that may be signed in by it; `nil` for every app that may redeem tickets.
    public let client: ClientID?
    /// The site of the enrolment; `nil` for none.
    public let environment: CustomerSiteID?
    /// The secret that a device of the older dialect is to share, sealed under a key of the server; `nil` in ours.
    public let sealedSecret: [UInt8]?
    /// The evidence of the person when the ticket was made for them.
    public let evidence: Evidence
    /// The browser session that it was made in and ends with; `nil` for none.
    public let session: ApproverID?
    /// The time of its creation.
    public let made: Date
    /// The expiry of the ticket.
    public let expires: Date
    /// Its use; `nil` while it was not used.
    public var use: Use?

    /// Creates a ticket to store, which was not used.
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
    /// The model that it named, as the account page shows it, and its identifier, for the audit.
    package var shownInAudit: String {
        guard let model = details.model else { return "device \(id)" }
        return "device \(id), \(model.shownInOneLine)"
    }
}
