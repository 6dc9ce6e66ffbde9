import CountersignHTTP
import Foundation
import NIOCore
import NIOPosix
import Testing

@Suite("A reserved port", .timeLimit(.minutes(10)))
struct ReservedPortTests {
    private let anyPort = Result { try SocketAddress(ipAddress: "127.0.0.1", port: 0) }

    @Test func `is there for a listener, and again for the next one`() async throws {
        let reserved = try ReservedPort(at: try anyPort.get())
        for _ in 1...2 {
            let listener = try await listeningAgain(on: reserved.number)
            #expect(listener.localAddress?.port == reserved.number)
            try await listener.close()
        }
    }

    #if os(Linux)
    @Test func `is nobody's who does not know of it`() async throws {
        let reserved = try ReservedPort(at: try anyPort.get())
        await #expect(throws: (any Error).self) { try await listening(on: reserved.number, sharing: false) }
    }

    @Test func `is no other's as long as it is kept, listened on or not`() async throws {
        let kept = try (1...200).map { _ in try ReservedPort(at: try anyPort.get()) }
        let drawn = try await listening(on: 0)
        let numbers = kept.map(\.number) + [try #require(drawn.localAddress?.port)]
        #expect(Set(numbers).count == 201)
        try await drawn.close()
    }
    #endif

    @Test func `can be one that is named, unless somebody listens there`() async throws {
        let listener = try await listening(on: 0)
        let address = try #require(listener.localAddress)
        #expect(throws: IOError.self) { try ReservedPort(exactly: address) }
        try await listener.close()
        let free = try ReservedPort(at: try anyPort.get())
        let named = try SocketAddress(ipAddress: "127.0.0.1", port: free.number)
        #expect(try ReservedPort(exactly: named).number == free.number)
    }

    @Test func `accepts no connection`() async throws {
        let reserved = try ReservedPort(at: try anyPort.get())
        await #expect(throws: (any Error).self) {
            try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: reserved.number).get()
        }
    }

    @Test func `is not to be had at an address that is not this machine's`() throws {
        let elsewhere = try SocketAddress(ipAddress: "192.0.2.1", port: 0)
        #expect(throws: IOError.self) { try ReservedPort(at: elsewhere) }
    }

    /// Listens, once the listener of before is gone for good: a program that another test starts at that moment has a
    /// copy of every socket until it begins.
    private func listeningAgain(on port: Int) async throws -> any Channel {
        while true {
            do {
                return try await listening(on: port)
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    private func listening(on port: Int, sharing: Bool = true) async throws -> any Channel {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: sharing ? 1 : 0)
            .bind(host: "127.0.0.1", port: port).get()
    }
}
