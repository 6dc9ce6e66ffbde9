/// Why a store failed. Two errors are equal when their codes are.
public struct TokenStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Reading, writing or removing failed.
        case notRead, notWritten, notRemoved
        /// The stored items were not written by this store, or are damaged; they stay as they are.
        case damaged
        /// The stored items were encrypted with another key; they stay as they are.
        case wrongKey
        /// There are stored items, but their key is gone; no new one is created.
        case keyMissing
        /// The key is malformed, or other users can read it.
        case keyUnfit
        /// The keyring or Keychain does not exist, or is locked.
        case keyringUnavailable
        /// Another task or process did not release the item in time.
        case busy
    }

    /// What failed.
    public let code: Code
    /// What happened, for the log; it holds no secret.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What failed.
    ///   - reason: What happened, for the log, without secrets.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Compares the codes only.
    public static func == (left: TokenStoreError, right: TokenStoreError) -> Bool {
        left.code == right.code
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}

extension TokenStoreError {
    /// What happened and what to try, as one or two sentences for the person at the screen.
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
