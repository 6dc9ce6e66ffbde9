import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import Testing

@testable import CountersignHTTP
@testable import CountersignServer

@Suite("A client that leaves", .timeLimit(.minutes(10)), .server)
struct ClientPresenceTests {
    let server = TestServer.current

    @Test(arguments: [true, false])
    func `ends its wait and redeems nothing`(closingOneSide: Bool) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(ClientPresence.Watch())
        }
        async let held = poll(codes, at: server, on: channel)
        await server.clock.sleepers(1)
        if closingOneSide {
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            channel.pipeline.fireChannelInactive()
        }
        #expect(try await held.status == .badRequest)
        #expect(server.clock.sleeping == 0)

        // The decision comes after it left: the grant is still there when it comes back, at once.
        try await anna.decide("approve", codes)
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test func `may send its request again at once`() async throws {
        let codes = try await server.ask()
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(ClientPresence.Watch())
        }
        async let held = poll(codes, at: server, on: channel)
        await server.clock.sleepers(1)
        channel.pipeline.fireChannelInactive()
        _ = try await held
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test func `is noticed when it left before anybody looked`() {
        let presence = ClientPresence()
        #expect(!presence.hasLeft)
        presence.disregard()
        #expect(!presence.hasLeft)
    }

    /// Asks on a connection of its own, which the test can close.
    private func poll(
        _ codes: DeviceAuthorizationResponse,
        at server: TestServer,
        on channel: NIOAsyncTestingChannel
    ) async throws -> Response {
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
        return try await server.post("/token", form, headers: [.prefer: "wait=30"], on: channel)
    }
}
