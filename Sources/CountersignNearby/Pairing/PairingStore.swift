public import FoundationEssentialsCompat

/// Stores the pairings of a device: on this device only, in no backup, readable by its user only.
public protocol PairingStore: Sendable {
    /// Reads the stored pairings.
    ///
    /// - Throws: ``PairingStoreError``: `notRead` or `damaged`.
    func read() throws(PairingStoreError) -> PairingBook

    /// Reads, changes and writes the stored pairings, in one step; durable when it returns.
    ///
    /// - Parameter change: Changes the book; called once.
    /// - Throws: ``PairingStoreError``; then nothing has changed.
    func change(_ change: (inout PairingBook) -> Void) throws(PairingStoreError)
}

/// The reason that pairings cannot be read or kept.
public struct PairingStoreError: CodedError, CustomStringConvertible {
    /// The kind of failure; errors are compared by this only.
    public enum Code: Sendable, Hashable {
        case notRead, notWritten, damaged
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, in words for a log.
    public let description: String

    package init(_ code: Code, because description: String) {
        self.code = code
        self.description = description
    }
}

extension PairingStore {
    /// The pairings of an app that are valid at `now`, the last used one first.
    ///
    /// - Parameters:
    ///   - app: The app of the devices.
    ///   - role: The part that this device has in them.
    ///   - now: The date; pairings that are too old at it are omitted.
    /// - Throws: ``PairingStoreError``: `notRead` or `damaged`.
    public func list(for app: NearbyAppID, as role: Pairing.Role, at now: Date) throws(PairingStoreError) -> [Pairing] {
        try read().current(for: app, as: role, at: now)
    }

    /// Forgets a pairing on this device; the other device notices at its next attempt.
    ///
    /// - Parameter id: The ``Pairing/id`` of the pairing.
    /// - Returns: Whether one existed.
    /// - Throws: ``PairingStoreError``; then it is not forgotten.
    public func forget(_ id: PairingID) throws(PairingStoreError) -> Bool {
        var existed = false
        try change { existed = $0.forget(id) }
        return existed
    }
}
