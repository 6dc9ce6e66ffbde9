/// An error with a code for programs, a sentence for people and a reason for the log.
///
/// Two errors of one type are equal when their codes are.
public protocol CodedError: Error, Equatable {
    /// The kinds of failure that lead to different steps.
    associatedtype Code: Sendable, Hashable
    /// The kind of failure.
    var code: Code { get }
}

extension CodedError {
    /// Whether both have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
