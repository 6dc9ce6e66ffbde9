public import Countersign
public import CountersignWire

/// The terms of a request that a customer's site opened, for the owner of a telephone number.
public struct CustomerSiteTerms: Sendable, Equatable {
    /// The digits that tie the person's answer to the site.
    public enum Digits: Sendable, Equatable {
        /// The number that the site shows, and the person types to approve.
        case number(NumberToMatch)
        /// The one-time password that the person reads, and types at the site.
        case password(RequestPassword)
    }

    /// The site that asks.
    public let environment: CustomerSiteID
    /// The secret that it opened the request with.
    package let secret: CustomerSiteSecretReference
    /// The way that the person is told of the request.
    public let messageType: AuthenticationRequest.MessageType
    /// The subject that stands for the telephone number that was asked, whether it is anybody's or not.
    public let askedNumber: Subject
    /// The digits of the request, with the misses so far.
    public package(set) var digits: Digits
    /// The message that the person should see where they started, too; `nil` for nothing.
    public var message: String?
    /// The address of the person who signs in, as the site said it; `nil` when it said none.
    public var address: String?
    /// The location of that address, as the site said it; `nil` when it said nothing.
    public var place: AuthenticationRequest.Location?
    /// The telephone number that gets a text when no push message arrives; `nil` where none is to be sent.
    public var phoneNumber: PhoneNumber?
    /// Whether every way to reach the person failed; ``SignInExchangeRecord/noteUndeliverable()`` says so.
    public package(set) var hasFailed = false

    /// Creates terms; what is not a parameter is `nil`.
    package init(
        _ digits: Digits,
        environment: CustomerSiteID,
        secret: CustomerSiteSecretReference,
        messageType: AuthenticationRequest.MessageType = .automatic,
        askedNumber: Subject
    ) {
        self.digits = digits
        self.environment = environment
        self.secret = secret
        self.messageType = messageType
        self.askedNumber = askedNumber
    }

    /// The person's task in the request.
    public var kind: AuthenticationRequest.Kind {
        switch digits {
        case .number: .instant
        case .password: .oneTimePassword
        }
    }

    /// The origin of the person's sign-in, in words, as the site said it: the address and the place; `nil` when it said
    /// nothing.
    package var origin: String? {
        let parts = [address, place?.name].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
