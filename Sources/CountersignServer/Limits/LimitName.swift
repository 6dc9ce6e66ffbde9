public import Countersign

/// What a limit is called in settings, documentation and metrics.
public struct LimitName: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
