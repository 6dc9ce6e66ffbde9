import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite(
    "A signed decision that cannot be read", .server { $0.limits[.approverPerAccount] = Limit(3, in: 60) }
)
struct UnreadableDecisionTests {
    let server = TestServer.current

    @Test(arguments: ["application/x-www-form-urlencoded", "text/plain"])
    func `counts against the approver's limit`(type: String) async throws {
        let app = try await server.authenticator()
        // Registering the device counted as well.
        server.clock.advance(by: .seconds(60))
        var headers = app.headers
        headers[.contentType] = type
        func send() async throws -> TestResponse {
            try await server.post(server.path("approver/decide"), raw: "decision=a.b.c", headers: headers)
        }
        for _ in 0..<3 { #expect(try await send().status != .tooManyRequests) }
        #expect(try await send().status == .tooManyRequests)
    }
}
