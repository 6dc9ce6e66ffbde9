import CountersignTransport
import Crypto
import HTTPTypes
import NIOConcurrencyHelpers
import PushFixture
import Testing

@testable import CountersignServer

@Suite("A certificate that an app checks beside the system", .timeLimit(.minutes(10)))
struct CertificateCheckTests {
    @Test(arguments: [true, false])
    func `is asked for once a connection, before any request goes out`(isAccepted: Bool) async throws {
        let seen = NIOLockedValueBox<[[UInt8]]>([])
        let standIn = ApplePushStandIn(key: P256.Signing.PrivateKey().publicKey, keyID: "key", team: "team")
        try await ApplePushStandIn.run(
            standIn,
            checking: { certificate in
                seen.withLockedValue { $0.append(certificate) }
                return isAccepted
            }
        ) { base, transport in
            let request = HTTPRequest(
                method: .post, scheme: "https", authority: String(base.dropFirst("https://".count)),
                path: "/3/device/x")
            if isAccepted {
                for _ in 0..<2 {
                    let answer = try await transport.send(request, body: [], within: .seconds(86_400))
                    #expect(answer.response.status == .forbidden)
                }
            } else {
                let error = await #expect(throws: TransportError.self) {
                    _ = try await transport.send(request, body: [], within: .seconds(86_400))
                }
                #expect(error?.code == .notTrusted && error?.mayHaveArrived == false)
            }
        }
        // DER begins with a sequence.
        #expect(seen.withLockedValue { $0.first?.first } == 0x30)
        // The second request uses the same connection, unless that was idle for too long.
        let connections = Set(await standIn.received.map(\.port))
        if isAccepted { #expect(seen.withLockedValue(\.count) == connections.count) }
        #expect(connections.isEmpty == !isAccepted)
    }
}
