public import Countersign

/// The outcome of one try to type digits.
public enum DigitsMatch: Sendable, Equatable {
    /// They were right.
    case matched
    /// They were wrong or missing, and another try is left.
    case missed
    /// They were wrong, and it was the last try: the request has to be denied.
    case spent
}

/// Digits that are too short for a digest: a code under a key of the server recognises them for one request.
public struct DigitsCode: Sendable, Equatable, Codable {
    private let code: String

    /// A code that was computed before.
    package init(restoring code: String) {
        self.code = code
    }

    /// Compares what a person typed, and counts a miss; nothing typed is no try.
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

/// The number of a request, which the asking side shows and the person types to approve.
public struct NumberToMatch: Sendable, Equatable, Codable {
    /// The maximum number of misses; with the last miss the request ends.
    public static let tries = 3

    private let code: DigitsCode
    /// The number of digits.
    public let digits: Int
    /// The digits in the clear, for a screen that is told them with every poll; `nil` for an asking side that was told
    /// them at the start. They are of no use without the session of the person who took the request.
    public private(set) var shown: VerificationNumber?
    /// The number of misses.
    public private(set) var misses = 0

    /// A number for one request.
    ///
    /// - Parameters:
    ///   - code: The code of the digits for this request.
    ///   - digits: The number of digits.
    ///   - shown: The digits in the clear; `nil`, the default, where they are not needed again.
    ///   - misses: The misses that count already; none by default.
    package init(_ code: DigitsCode, digits: Int, shown: VerificationNumber? = nil, misses: Int = 0) {
        self.code = code
        self.digits = digits
        self.shown = shown
        self.misses = misses
    }

    /// Compares what a person typed, and counts a miss.
    ///
    /// - Parameter typed: The code of what was typed; `nil` when nothing was, which is no try.
    public mutating func match(_ typed: DigitsCode?) -> DigitsMatch {
        code.match(typed, after: &misses, of: Self.tries)
    }

    /// The same number, which the asking screen shows no more.
    package func hidden() -> NumberToMatch {
        var hidden = self
        hidden.shown = nil
        return hidden
    }
}
