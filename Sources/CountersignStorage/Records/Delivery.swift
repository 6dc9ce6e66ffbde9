public import FoundationEssentialsCompat

/// A text message, a mail, a push message, or a webhook call.
///
/// ``DeliveryService`` sends it until it is accepted or the attempts are exhausted.
public struct Delivery: Sendable, Equatable {
    /// The identifier of a delivery, the same in every attempt.
    public struct ID: TimeOrderedIdentifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The content of a delivery, and its destination.
    public enum Content: Sendable, Equatable {
        /// A text message; its words are sealed, because they may contain a password, and `nil` after the delivery.
        case text(SealedText?, to: PhoneNumber)
        /// A mail; its code and link are sealed, and `nil` after the delivery, and for a mail without.
        case mail(MailMessage, SealedText?)
        /// A push message with identifiers only.
        case push(PushPayload, to: PushAddress)
        /// A push message to the browser of a session, at a push service of this origin.
        case browserPush(PushPayload, to: ApproverID, at: WebOrigin)
        /// A call of a customer's server: a request of that site was decided or has expired.
        case webhook(CustomerSiteID, AuthenticationRequest.ID)
        /// A call of the operator's webhook: a person has a new device.
        case newDevice(NewDevice)
        /// A call of the operator's webhook: a shared limit was reached.
        case limitAlarm(LimitAlarm)
    }

    /// The server that is called. An unresponsive receiver does not delay deliveries to the others.
    public enum Receiver: Sendable, Hashable {
        /// The gateway for text messages.
        case gateway
        /// The gateway for mails.
        case mailGateway
        /// A push service.
        case pushService(PushAddress.Service)
        /// A push service that a device or browser named.
        case webPushService(WebOrigin)
        /// The server of a customer.
        case environment(CustomerSiteID)
        /// The operator's webhook.
        case `operator`
    }

    /// The receiver of a text message or a mail.
    public enum Addressee: Sendable, Hashable {
        /// The number of a phone.
        case number(PhoneNumber)
        /// The person of a mail, whose address may be another's, too.
        case person(Subject)
    }

    /// The state of a delivery.
    public enum State: Sendable, Equatable {
        /// It has an attempt left.
        case waiting
        /// The gateway, the push service or the customer's server accepted it.
        case delivered(Date)
        /// It will not be sent again.
        case failed(Failure, at: Date)
    }

    /// The reason of a failure.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// It expired before it was accepted.
        case expired
        /// The receiver refuses it permanently: there is no such number, or the message is not allowed.
        case rejected
        /// The app is no longer on that device.
        case deadAddress = "dead_address"
        /// Every attempt failed.
        case attemptsSpent = "attempts_spent"
        /// No gateway or service for it is configured.
        case noWay = "no_way"
        /// Its request was decided in another way.
        case withdrawn
    }

    /// The identifier.
    public let id: ID
    /// The content, and its destination.
    public var content: Content
    /// The site that it is sent for; `nil` for messages of the server itself.
    public let environment: CustomerSiteID?
    /// Its request; `nil` for other messages.
    public let request: SignInRequest.ID?
    /// The device that receives it; `nil` for a number or a server.
    public let device: DeviceRegistration.ID?
    /// The time of its creation.
    public let made: Date
    /// The expiry; it is not sent afterwards.
    public var expires: Date
    /// The number of attempts.
    public var attempts: Int
    /// The time of the next attempt.
    public var due: Date
    /// The state.
    public var state: State
    /// The reason why the last attempt failed, in the words of its receiver; `nil` without a failed one.
    public var problem: String?

    /// Creates a delivery.
    public init(
        id: ID,
        _ content: Content,
        for environment: CustomerSiteID? = nil,
        about request: SignInRequest.ID? = nil,
        device: DeviceRegistration.ID? = nil,
        made: Date,
        expires: Date,
        attempts: Int = 0,
        due: Date? = nil,
        state: State = .waiting
    ) {
        self.id = id
        self.content = content
        self.environment = environment
        self.request = request
        self.device = device
        self.made = made
        self.expires = expires
        self.attempts = attempts
        self.due = due ?? made
        self.state = state
    }

    /// Whether it has an attempt left.
    public var isWaiting: Bool { state == .waiting }

    /// The server that is called.
    public var receiver: Receiver {
        switch content {
        case .text: .gateway
        case .mail: .mailGateway
        case .push(_, to: let address):
            address.subscription.map { .webPushService($0.origin) } ?? .pushService(address.service)
        case .browserPush(_, to: _, at: let origin): .webPushService(origin)
        case .webhook(let environment, _): .environment(environment)
        case .newDevice, .limitAlarm: .operator
        }
    }

    /// The number or the person that receives it; `nil` for other deliveries.
    package var addressee: Addressee? {
        switch content {
        case .text(_, to: let number): .number(number)
        case .mail(let message, _): message.person.map { .person($0) }
        case .push, .browserPush, .webhook, .newDevice, .limitAlarm: nil
        }
    }

    /// Its lane.
    public var lane: DeliveryLane {
        switch content {
        case .push(_, to: let address): address.service == .web ? .webPush : .messages
        case .browserPush: .webPush
        case .text, .mail: .messages
        case .webhook, .newDevice, .limitAlarm: .calls
        }
    }

    /// Whether it is a text message.
    package var isText: Bool { if case .text = content { true } else { false } }

    /// The most characters of a problem that are stored.
    private static let longestProblem = 300

    /// Notes the reason of a failed attempt, which may be a long text of a gateway.
    package mutating func note(_ problem: String) {
        self.problem = String(problem.prefix(Self.longestProblem))
    }

    /// Ends it, and removes the words of a text message and the secrets of a mail.
    package mutating func end(_ state: State) {
        self.state = state
        if case .delivered = state { problem = nil }
        switch content {
        case .text(_, to: let number): content = .text(nil, to: number)
        case .mail(let message, _): content = .mail(message, nil)
        case .push, .browserPush, .webhook, .newDevice, .limitAlarm: break
        }
    }
}

/// The words of a text message, or the secrets of a mail, under the seal of the server.
public struct SealedText: Sendable, Equatable {
    /// Nonce, ciphertext and tag.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// The words of a text message, which may contain a one-time password.
public struct MessageText: Secret {
    /// The words in the clear.
    public let revealed: String
    /// Creates a text from its words.
    public init(revealing text: String) { revealed = text }
}
