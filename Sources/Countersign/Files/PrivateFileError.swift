/// The reason that a file of a ``PrivateDirectory`` could not be read or changed.
package struct PrivateFileError: Error, Sendable {
    package enum Code: Sendable, Hashable {
        case notRead, notWritten, notRemoved
        /// Users other than the owner can read the file.
        case exposed
        /// The file is longer than its reader allows.
        case tooLong
    }

    package let code: Code
    /// The file and what happened, for the log.
    package let reason: String

    package init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }
}
