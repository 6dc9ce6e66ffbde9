/// A value that is a secret or holds one, so that it is never printed.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name and `redacted`.
    public var description: String { "\("\(Self.self)".prefix { $0 != "<" })(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror that shows nothing of the value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
