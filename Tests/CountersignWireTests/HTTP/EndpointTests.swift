import Foundation
import Testing

@testable import CountersignWire

@Suite("The URL of an endpoint")
struct EndpointTests {
    @Test(arguments: ["https://127.0.0.1:65536/", "https://[::1]:70000/", "https://e.com:99999999999999999999/"])
    func `names a port that there is, because the client traps at another one`(text: String) {
        #expect(throws: Endpoint.ParsingError.malformed) { try Endpoint(text) }
    }

    @Test(arguments: ["https://127.0.0.1:65535/", "https://e.com/", "http://localhost:1/"])
    func `may name any other port, or none`(text: String) throws {
        #expect(try Endpoint(text).url.absoluteString == text)
    }
}
