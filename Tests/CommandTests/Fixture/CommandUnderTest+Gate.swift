import CommandFixture
import Testing

extension CommandUnderTest {
    /// Adds the client of a gate, with its secret in the file `secret`.
    func addGate() async throws {
        let secret = try await run(
            #"""
            countersign admin client add gate --confidential --scope "openid profile email groups" \
            --redirect-uri https://photos.example.com/gate/callback --json \
            | sed -n 's/.*"client_secret" *: *"\([^"]*\)".*/\1/p' > secret; test -s secret
            """#
        )
        #expect(secret.status == 0)
    }
}
