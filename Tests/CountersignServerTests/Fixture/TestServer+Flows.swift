@testable import CountersignServer

extension TestServer {
    /// A way in of this server.
    func flow<Flow: SignInFlow>(_ type: Flow.Type) -> Flow {
        server.flows.lazy.compactMap { $0 as? Flow }.first!
    }
}
