import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import CountersignHTTP

@Suite("When a connection needs the router", .timeLimit(.minutes(10)))
struct RouterDemandTests {
    enum Cause: String, CaseIterable, Sendable {
        case request, halfClosure, error, closure, removal, cancellation
    }

    @Test(arguments: Cause.allCases, [false, true])
    func `its wait ends`(cause: Cause, isAwaitedFirst: Bool) async throws {
        let demand = RouterDemand()
        let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
        func wait() -> Task<Void, Never> {
            Task {
                hasBegun.finish()
                await demand.arises()
            }
        }
        var task: Task<Void, Never>?
        if isAwaitedFirst {
            task = wait()
            for await _ in began {}
        }
        let channel = try await NIOAsyncTestingChannel { channel in
            try channel.pipeline.syncOperations.addHandler(RouterDemand.Handler(demand))
        }
        let waiting = task ?? wait()
        switch cause {
        case .request: channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
        case .halfClosure: channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .error: channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        case .closure: channel.pipeline.fireChannelInactive()
        case .removal: try await channel.close()
        case .cancellation: waiting.cancel()
        }
        await channel.testingEventLoop.run()
        await waiting.value
        // From then on it returns at once.
        await demand.arises()
        _ = try? await channel.finish(acceptAlreadyClosed: true)
    }
}
