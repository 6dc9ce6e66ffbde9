internal import Countersign

extension SealedFileTokenStore {
    /// A store by the clocks and the randomness of this machine; for the parameters see
    /// ``init(directory:group:sealedBy:patience:clock:drawingFrom:)``.
    public convenience init(
        directory path: String,
        group: TokenGroup = .standard,
        sealedBy keyPlace: (any SealingKeyPlace)? = nil
    ) {
        self.init(directory: path, group: group, sealedBy: keyPlace, clock: .system, drawingFrom: .system)
    }
}
