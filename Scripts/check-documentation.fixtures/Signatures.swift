// public functions: 29
import Foundation

/// A type with every way to write a function.
public struct Signatures: Sendable {
    public init() {}  // gap: `init` has no documentation

    /// Has two parameters.
    public init(first: Int, second: Int) {}  // gap: `init` does not describe `first`, `second`

    /// Has three.
    public init(first: Int, second: Int, third: Int) {}  // gap: `init` does not describe `first`, `second`, `third`

    /// Names them by what the caller or the body calls them.
    ///
    /// - Parameters:
    ///   - at: When it happens, in seconds since 1970.
    ///   - inside: What it happens in; `nil` by default.
    ///   - third: How often, at most 5,
    ///     and at least once.
    public func named(at when: Int, in inside: [String: (Int, Int)]? = nil, _ third: Int) {}

    /// Leaves one out, invents one, and repeats a name.
    ///
    /// - Parameters:
    ///   - first: The first.
    ///   - other: What is not there.
    public func listed(  // gap: `listed` does not describe `second`, `third` // gap: `listed` says nothing about `first` but its name // gap: `listed` describes `other`, which is no parameter
        first: Int,
        second: Int,
        third: @escaping @Sendable (Int, Int) async throws -> Void
    ) {}

    /// - Parameter gone: What was renamed.
    public func renamed(now: Int) {}  // gap: `renamed` describes `gone`, which is no parameter // gap: `renamed` does not describe `now`

    /// - Parameter first: One of them, in bytes.
    /// - Parameter second: Another, in bytes.
    /// - Parameter third: The last, in bytes.
    public func single(first: Int, second: Int, third: Int) {}

    /// Throws without a word.
    public func silent() throws {}  // gap: `silent` throws and has no `- Throws:`

    /// Throws vaguely.
    ///
    /// - Throws: An error.
    public func vague() throws {}  // gap: `vague` does not name its error in `- Throws:`

    /// Throws a type that is not the one named.
    ///
    /// - Throws: ``OtherError`` always.
    public func wrong() throws(SomeError) {}  // gap: `wrong` does not name its error `SomeError` in `- Throws:`

    /// Throws what it says.
    ///
    /// - Throws: When it fails,
    ///   ``SomeError``.
    public func right() async throws(SomeError) -> Int { 0 }

    /// Throws what a closure throws.
    ///
    /// - Parameter body: Runs once.
    /// - Throws: What `body` throws.
    public func passing<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {}

    /// Rethrows, which is no error of its own.
    ///
    /// - Parameter body: Runs once.
    public func again(_ body: () throws -> Void) rethrows {}

    /// Cannot throw.
    public func never() throws(Never) {}

    /// Returns a function that throws, and does not throw.
    public func later() -> () throws -> Void { {} }

    public static func == (left: Self, right: Self) -> Bool { true }  // gap: `==` has no documentation

    public static func < (left: Self, right: Self) -> Bool { true }  // gap: `<` has no documentation

    /// Conforms to a protocol of the standard library, which says what it takes.
    public func hash(into hasher: inout Hasher) {}

    public func encode(to encoder: any Encoder) throws {}

    /// Does not, in spite of its name.
    public func hash(of value: Int) {}  // gap: `hash` does not describe `value`

    /// Documented above its attributes.
    @available(*, deprecated)
    @discardableResult
    public func attributed() -> Int { 0 }

    public subscript(index: Int) -> Int { index }  // gap: `subscript` has no documentation

    func internalFunction(first: Int, second: Int, third: Int) throws {}
    package init(package first: Int) throws {}
    private func hidden() {}
}

/// An extension that is public makes its members so.
public extension Signatures {
    func outside() {}  // gap: `outside` has no documentation
    internal func inside() {}
}

extension Signatures {
    func notPublic() {}
    public init?(text: String) {}  // gap: `init` has no documentation
}

/// A type whose initialiser sets what is described at its variables.
public struct Memberwise: Sendable {
    /// The first, in bytes.
    public let first: Int
    /// The second, in bytes.
    public var second: Int
    let third: Int

    /// Creates one.
    public init(first: Int, second: Int) {}

    /// Creates one with a word too many.
    ///
    /// - Parameter first: The first, in bytes.
    public init(first: Int) {}  // gap: `init` describes parameters that are properties of its type

    /// Creates one of what nobody can read.
    public init(third: Int) {}  // gap: `init` does not describe `third`
}

/// A repository, whose errors its container describes.
public protocol TapeRepository {
    /// Finds a tape.
    ///
    /// - Parameter id: The number of a tape on its label.
    func find(_ id: Int) throws -> String?

    /// Adds a tape.
    ///
    /// - Parameter tape: The tape that is new.
    /// - Throws: An error.
    func insert(_ tape: String) throws  // gap: `insert` does not name its error in `- Throws:`
}
