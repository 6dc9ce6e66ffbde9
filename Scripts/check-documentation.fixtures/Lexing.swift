// public functions: 7
/* A comment, /* nested */ with public func hidden() {} */

/// A protocol: its requirements are public, and have no bodies.
public protocol Requirements: Sendable {
    /// Has a documented requirement.
    func documented() async
    func undocumented() async throws -> Int  // gap: `undocumented` has no documentation
    var value: Int { get throws }
    init(_ value: Int)  // gap: `init` has no documentation
}

protocol Internal {
    func undocumented()
}

/// Conforms to it: a sentence is enough, and none is too little.
public struct Conformer: Requirements {
    /// Does it at once.
    public func documented() async {}
    public func undocumented() async throws -> Int { 1 }  // gap: `undocumented` has no documentation
}

/// Has a function of the same name, and conforms to nothing that requires it.
public struct Stranger {
    /// Does it at once.
    public func documented() async throws {}  // gap: `documented` throws and has no `- Throws:`
}

struct Strings {
    let plain = "public func inString() {} \(["}": "{ public init() {} \(1)"]) \" }"
    let raw = #"\" public func raw() {} { "#
    let long = """
        /// Not a comment.
        public func inText() {}
        {
        """
    let pattern = /[{"]\/public func/
    let quotient = 6 / 2 / 1

    var computed: Int {
        /// A local comment.
        func local() { print("}") }
        return 1
    }

    #if os(Linux)
        // An ordinary comment above does not document.
        public func bare() {}  // gap: `bare` has no documentation
    #endif
}
