internal import Countersign

extension ChangeWaiters {
    /// Ends the waits for what changed, at this node or another.
    func storeChanged(_ changes: [StoreChange]) {
        for change in changes {
            switch change {
            case .exchange(let id, requestCode: _): finish(.signIn(id))
            case .inbox(let subject): finish(.inbox(subject))
            case .tokensOfGrant(let grant): finish(.grant(grant))
            case .anything, .notificationsLost: finishAll()
            default: break
            }
        }
    }
}

extension StoreUnavailableError: TransientError {}
extension StoreClosedError: TransientError {}
