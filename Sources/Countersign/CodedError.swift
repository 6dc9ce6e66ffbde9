/// An error that says by a code what a program can do about it, and whose words and reason are for people and the log.
///
/// Two errors of one type are equal when their codes are, whatever else they say.
public protocol CodedError: Error, Equatable {
    /// The kinds of failure that lead to different steps.
    associatedtype Code: Sendable, Hashable
    /// The kind of failure.
    var code: Code { get }
}

extension CodedError {
    /// Whether both have the same code, whatever else they say.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
