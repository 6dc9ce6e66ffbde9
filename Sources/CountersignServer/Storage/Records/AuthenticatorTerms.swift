internal import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The additional fields of a request that a person answers at an enrolled device; stored with its exchange.
public struct AuthenticatorTerms: Sendable, Equatable, Codable {
    /// The person's task in the request.
    public let kind: AuthenticationRequest.Kind
    /// The way that the person is told of it.
    public let messageType: AuthenticationRequest.MessageType
    /// The environment that asks; `nil` for a client over the back channel.
    public let environment: EnvironmentID?
    /// The secret that the environment opened the request with; `nil` for a client over the back channel.
    var openingSecret: EnvironmentSecretReference?
    /// The message that the person should see where they started, too; `nil` for nothing.
    public var message: String?
    /// The address of the person who signs in, as the party that asks said it; `nil` when it said none.
    public var address: String?
    /// The location of that address, as the party that asks said it; `nil` when it said nothing.
    public var place: AuthenticationRequest.Location?
    /// Stands for the telephone number that was asked, whether it is anybody's or not; `nil` over the back channel.
    var askedNumber: String?
    /// The telephone number that gets a text when no push message arrives; `nil` where none is to be sent.
    public var telephone: PhoneNumber?
    /// The number that the person has to type to approve; `nil` for a request without one.
    public var number: NumberToMatch?
    /// The one-time password that the person reads and types where they started; `nil` for a request to approve.
    public var password: RequestPassword?
    /// Whether every way to reach the person failed; ``SignInExchangeRecord/noteUndeliverable()`` says so.
    public package(set) var hasFailed = false

    /// Creates terms; what is not a parameter is `nil`.
    public init(
        _ kind: AuthenticationRequest.Kind,
        messageType: AuthenticationRequest.MessageType = .automatic,
        environment: EnvironmentID? = nil
    ) {
        self.kind = kind
        self.messageType = messageType
        self.environment = environment
    }
}

/// The one-time password of a request, which the device shows and the person types where they started.
public struct RequestPassword: Sendable, Equatable {
    /// The maximum number of misses; with the last miss the request ends.
    public static let tries = 5

    private let code: DigitsCode
    /// The password, sealed under a key of the server, for the device that shows it.
    public let sealed: [UInt8]
    /// The number of misses.
    public private(set) var misses = 0

    /// A password of one request.
    ///
    /// - Parameters:
    ///   - code: The code of its digits for this request.
    ///   - sealed: The password, sealed.
    package init(_ code: DigitsCode, sealed: [UInt8]) {
        self.code = code
        self.sealed = sealed
    }

    /// Compares what a person typed, and counts a miss.
    ///
    /// - Parameter typed: The code of what was typed; `nil` when nothing was, which is no try.
    public mutating func match(_ typed: DigitsCode?) -> DigitsMatch {
        code.match(typed, after: &misses, of: Self.tries)
    }
}

extension RequestPassword: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, sealed, misses
    }

    /// Reads a password as it is stored: what is sealed as one text, since a list of numbers takes long to read.
    ///
    /// - Parameter decoder: The decoder that holds it.
    /// - Throws: `DecodingError` for another form.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        code = try members.decode(DigitsCode.self, forKey: .code)
        sealed = Array(try members.decode(Data.self, forKey: .sealed))
        misses = try members.decode(Int.self, forKey: .misses)
    }

    /// Writes it in that form.
    ///
    /// - Parameter encoder: The encoder that it is written to.
    /// - Throws: `EncodingError`, which does not happen.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(code, forKey: .code)
        try members.encode(Data(sealed), forKey: .sealed)
        try members.encode(misses, forKey: .misses)
    }
}

extension AuthenticatorTerms {
    /// The origin of the person's sign-in, in words, as the party that asks said it: the address and the place; `nil`
    /// when it said nothing.
    var origin: String? {
        let parts = [address, place?.name].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension SignInExchangeRecord {
    /// Notes that every way to reach the person failed. Only requests of environments end by that: a person finds those
    /// of other clients on their account page, too.
    ///
    /// - Returns: Whether the record changed, so that it has to be stored.
    public mutating func noteUndeliverable() -> Bool {
        guard status(at: .distantPast) == .open, authenticator?.environment != nil else { return false }
        authenticator?.hasFailed = true
        return true
    }

    /// The status of a request, as the party that asks and devices of the older dialect read it.
    ///
    ///     open ──▶ approved, denied, expired, failed
    ///
    /// A decision remains when the time is over. A request of an environment that could not be delivered has failed,
    /// and can no longer be decided.
    public func status(at now: Date) -> AuthenticationRequest.Status {
        let phase = SignInExchangeColumns(exchange).phase
        switch phase {
        case .approved, .redeemed: return .approved
        case .denied: return .denied
        case .open, .taken:
            if authenticator?.hasFailed == true { return .failed }
            return now < exchange.request.deadline ? .open : .expired
        }
    }
}
