internal import Countersign

extension SealedFileTokenStore {
    /// Creates a store that uses this machine's clock and randomness.
    ///
    /// - Parameters:
    ///   - path: The directory, on a file system of this machine.
    ///   - group: The apps that share the items; ``TokenGroup/standard`` by default.
    ///   - keyPlace: Where the key is stored; by default the file `key` in the directory.
    public convenience init(
        directory path: String,
        group: TokenGroup = .standard,
        sealedBy keyPlace: (any SealingKeyPlace)? = nil
    ) {
        self.init(directory: path, group: group, sealedBy: keyPlace, clock: .system, drawingFrom: .system)
    }
}
