internal import Countersign

extension TokenStoreError {
    /// Runs work on files, and maps its errors to those of a store.
    ///
    /// - Parameter exposed: The code for a file that other users can read.
    static func translating<Value>(
        exposed: Code = .notRead,
        _ work: () throws(PrivateFileError) -> Value
    ) throws(TokenStoreError) -> Value {
        do throws(PrivateFileError) {
            return try work()
        } catch {
            let code: Code =
                switch error.code {
                case .notRead: .notRead
                case .notWritten: .notWritten
                case .notRemoved: .notRemoved
                case .exposed: exposed
                case .tooLong: .damaged
                }
            throw TokenStoreError(code, because: error.reason)
        }
    }
}
