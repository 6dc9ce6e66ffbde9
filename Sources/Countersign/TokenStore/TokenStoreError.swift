/// The failure of a store.
///
/// ``sentence`` is for the person at the screen, ``reason`` for the log. Two errors are equal when their codes are.
public struct TokenStoreError: CodedError, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The system does not let the store read.
        case notRead
        /// The system does not let the store write.
        case notWritten
        /// The system does not let the store remove an item.
        case notRemoved
        /// The stored items were not written by this store, or are damaged; they stay as they are.
        case damaged
        /// The stored items were encrypted with another key; they stay as they are.
        case wrongKey
        /// Data are stored, but their key is missing; no new one is made.
        case keyMissing
        /// The key is malformed, or other users can read it.
        case keyUnfit
        /// The keyring or Keychain that holds the key is missing or locked.
        case keyringUnavailable
        /// Another task or process held the lock of the item for too long.
        case busy
    }

    /// The kind of failure.
    public let code: Code
    /// The reason, for the log; it holds no secret.
    public let reason: String

    /// An error with its reason, for stores that apps write.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Kind and reason, for the log.
    public var description: String { "\(code.rawValue): \(reason)" }
}

extension TokenStoreError {
    /// The failure and its remedy, as one or two sentences for the person at the screen.
    public var sentence: String {
        switch code {
        case .notRead: "What is kept on this device could not be read. Check its permissions."
        case .notWritten, .notRemoved:
            "What is kept on this device could not be changed. Check its free space and permissions, and try again."
        case .damaged:
            """
            What is kept on this device is damaged, and was left as it is. Put it back from a backup, or move it away and \
            sign in again.
            """
        case .wrongKey:
            """
            What is kept on this device was sealed by another key, and was left as it is. Put back the key that belongs \
            to it, or move it away and sign in again.
            """
        case .keyMissing:
            """
            The key to what is kept on this device is gone. Put it back from a backup, or move away what is kept and \
            sign in again.
            """
        case .keyUnfit:
            "The key of this device is damaged or open to other users. Put it back, readable for you alone."
        case .keyringUnavailable: "The keyring of this device cannot be used. Unlock it and try again."
        case .busy: "Another program is busy with the same sign-in and does not finish. Try again in a minute."
        }
    }
}
