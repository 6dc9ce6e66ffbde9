public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that has to reach a person's phone or another server: a text message, a push message, or a call.
///
/// A change that makes one inserts it; ``DeliveryService`` sends it, again and again until it was accepted or is given
/// up.
public struct Delivery: Sendable, Equatable {
    /// Identifies a delivery; the receiver gets the same one in every attempt.
    public struct ID: TimeOrderedIdentifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The content of a delivery, and its destination.
    public enum Content: Sendable, Equatable {
        /// A text message; its words are sealed, because they may hold a password, and `nil` once they were sent.
        case text(SealedText?, to: PhoneNumber)
        /// A push message, which holds identifiers only.
        case push(PushPayload, to: PushAddress)
        /// A call of a customer's server: a request of that site is answered, or its time is over.
        case webhook(CustomerSiteID, AuthenticationRequest.ID)
        /// A call of the operator's webhook: a person has a new device.
        case newDevice(NewDevice)
        /// A call of the operator's webhook: a limit that many share was reached.
        case limitAlarm(LimitAlarm)
    }

    /// The party that receives it, or brings it to everybody: while one of them does not answer, the others get theirs.
    public enum Receiver: Sendable, Hashable {
        /// The gateway for text messages.
        case gateway
        /// A push service.
        case pushService(PushAddress.Service)
        /// The server of a customer.
        case environment(CustomerSiteID)
        /// The operator's webhook.
        case `operator`
    }

    /// The state of a delivery.
    public enum State: Sendable, Equatable {
        /// It is to be sent, or sent again.
        case waiting
        /// The gateway, the push service or the customer's server accepted it.
        case delivered(Date)
        /// It is not sent any more.
        case failed(Failure, at: Date)
    }

    /// Why something is not sent any more.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// Its time was over before it was accepted.
        case expired
        /// The other side refuses it for good: there is no such number, or the message is not allowed.
        case rejected
        /// The app is not on that device any more.
        case deadAddress = "dead_address"
        /// Every attempt failed.
        case attemptsSpent = "attempts_spent"
        /// Nothing is set up that could send it.
        case noWay = "no_way"
        /// The request that it is about was answered in another way.
        case withdrawn
    }

    /// The identifier.
    public let id: ID
    /// The content, and its destination.
    public var content: Content
    /// The customer that it is sent for; `nil` for what the server sends itself.
    public let environment: CustomerSiteID?
    /// The request that it is about; `nil` for other messages.
    public let request: SignInRequest.ID?
    /// The device that it reaches; `nil` for a number or a server without one.
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

    /// Creates something to send.
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

    /// Whether it is still to be sent.
    public var isWaiting: Bool { state == .waiting }

    /// The party that receives it, or brings it to everybody.
    public var receiver: Receiver {
        switch content {
        case .text: .gateway
        case .push(_, to: let address): .pushService(address.service)
        case .webhook(let environment, _): .environment(environment)
        case .newDevice, .limitAlarm: .operator
        }
    }

    /// The lane that works on it.
    public var lane: DeliveryLane {
        switch content {
        case .text, .push: .messages
        case .webhook, .newDevice, .limitAlarm: .calls
        }
    }

    /// Whether it is a text message.
    package var isText: Bool { if case .text = content { true } else { false } }

    /// Ends it. The words of a text message are forgotten, since they may hold a password.
    package mutating func end(_ state: State) {
        self.state = state
        if case .text(_, to: let number) = content { content = .text(nil, to: number) }
    }
}

/// The words of a text message under the seal of the server.
public struct SealedText: Sendable, Equatable {
    /// Nonce, ciphertext and tag.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// The words of a text message. They may hold a one-time password, and are not printed.
public struct MessageText: Secret {
    /// The words in the clear.
    public let revealed: String
    /// Takes over words to send.
    public init(revealing text: String) { revealed = text }
}
