/// Why a store could not do what it was asked. Two errors are equal when their codes are.
public struct TokenStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What could not be done.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case notRead, notWritten, notRemoved
        /// What is kept was not written by this store, or is damaged; it stays as it is.
        case damaged
        /// What is kept was sealed by another key; it stays as it is.
        case wrongKey
        /// There is something kept, but the key to it is gone; no new one is made.
        case keyMissing
        /// The key is no key, or others than this user can read it.
        case keyUnfit
        /// What holds the key (a keyring, the Keychain) is not there, or is locked.
        case keyringUnavailable
        /// Another task or process did not let go in time.
        case busy
    }

    public let code: Code
    /// What happened, for the log; it holds no secret.
    public let reason: String

    /// An error with its reason.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }

    public static func == (left: TokenStoreError, right: TokenStoreError) -> Bool {
        left.code == right.code
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}

extension TokenStoreError {
    /// What happened and what to try, for the person at the screen.
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
