/// The terms of a request of a customer's site to the owner of a telephone number.
public struct CustomerSiteTerms: Sendable, Equatable {
    /// The digits that bind the person's answer to the site.
    public enum Digits: Sendable, Equatable {
        /// The number that the site shows, and the person types to approve.
        case number(NumberToMatch)
        /// The one-time password that the person reads, and types at the site.
        case password(RequestPassword)
    }

    /// The site that asks.
    public let environment: CustomerSiteID
    /// The secret of the token that opened the request.
    package let secret: CustomerSiteSecretReference
    /// The kind of message that announces the request.
    public let messageType: AuthenticationRequest.MessageType
    /// The subject of the telephone number; a pseudonym if the number is not registered.
    public let askedNumber: Subject
    /// The digits of the request, with the misses so far.
    public package(set) var digits: Digits
    /// The message that both sides show to the person; `nil` for none.
    public var message: String?
    /// The network address of the person, as the site stated it; `nil` for none.
    public var address: String?
    /// The location of that address, as the site stated it; `nil` for none.
    public var place: AuthenticationRequest.Location?
    /// The telephone number for a text if no push message arrives; `nil` for none.
    public var phoneNumber: PhoneNumber?
    /// Whether every way to reach the person failed; ``SignInExchangeRecord/noteUndeliverable()`` says so.
    public package(set) var hasFailed = false

    /// Creates terms; the other fields are `nil`.
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

    /// The origin of the person's sign-in in words, as the site stated it: address and place; `nil` for none.
    package var origin: String? {
        let parts = [address, place?.name].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
