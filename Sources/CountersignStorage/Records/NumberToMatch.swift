/// The outcome of one attempt to type digits.
public enum DigitsMatch: Sendable, Equatable {
    /// They were right.
    case matched
    /// They were wrong or missing, and another attempt is left.
    case missed
    /// They were wrong at the last attempt: the request has to be denied.
    case spent
}

/// The code of a few digits under a key of the server, for one request; a plain digest could be reversed.
public struct DigitsCode: Sendable, Equatable, Codable {
    private let code: String

    /// Restores a code.
    package init(restoring code: String) {
        self.code = code
    }

    /// Compares typed digits, and counts a miss; an empty field is no attempt.
    package func match(_ typed: DigitsCode?, after misses: inout Int, of tries: Int) -> DigitsMatch {
        guard misses < tries else { return .spent }
        guard let typed else { return .missed }
        guard typed != self else { return .matched }
        misses += 1
        return misses < tries ? .missed : .spent
    }

    /// Compares in constant time.
    public static func == (left: DigitsCode, right: DigitsCode) -> Bool {
        SecretDigest(of: left.code) == SecretDigest(of: right.code)
    }
}

/// The number of a request, which the client shows and the person types to approve.
public struct NumberToMatch: Sendable, Equatable, Codable {
    /// The maximum number of misses; the last miss ends the request.
    public static let tries = 3

    private let code: DigitsCode
    /// The digits in the clear, for a screen that receives them with every poll; `nil` for a client that received them
    /// at the start. They are useless without the session of the person who took the request.
    public private(set) var shown: VerificationNumber?
    /// The number of misses.
    public private(set) var misses = 0

    /// A number for one request.
    ///
    /// - Parameters:
    ///   - code: The code of the digits for this request.
    ///   - shown: The digits in the clear; `nil` by default.
    ///   - misses: The misses so far; none by default.
    package init(_ code: DigitsCode, shown: VerificationNumber? = nil, misses: Int = 0) {
        self.code = code
        self.shown = shown
        self.misses = misses
    }

    /// Compares typed digits, and counts a miss.
    ///
    /// - Parameter typed: The code of the typed digits; `nil` for an empty field, which is no attempt.
    public mutating func match(_ typed: DigitsCode?) -> DigitsMatch {
        code.match(typed, after: &misses, of: Self.tries)
    }

    /// The same number without the digits in the clear.
    package func hidden() -> NumberToMatch {
        var hidden = self
        hidden.shown = nil
        return hidden
    }
}
