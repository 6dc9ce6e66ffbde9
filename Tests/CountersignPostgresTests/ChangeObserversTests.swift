#if PostgreSQL
import CountersignServer
import NIOConcurrencyHelpers
import Testing

@testable import CountersignPostgres

@Suite("The observers of a PostgreSQL store")
struct ChangeObserversTests {
    @Test func `hear notifications of this node only after a commit of unknown outcome, which may land later`() {
        let heard = NIOLockedValueBox<[[StoreChange]]>([])
        let observers = PostgresChangeObservers()
        observers.listeningBegan()
        observers.add { changes in heard.withLockedValue { $0.append(changes) } }
        observers.notify([.serverKeys], receivedFromThisNode: true)
        #expect(heard.withLockedValue { $0 }.isEmpty)
        observers.notify([.serverKeys], receivedFromThisNode: false)
        observers.notify(ofUnknownOutcome: [.serverKeys])
        observers.notify([.serverKeys], receivedFromThisNode: true)
        #expect(heard.withLockedValue { $0 } == [[.serverKeys], [.serverKeys], [.serverKeys]])
    }
}
#endif
