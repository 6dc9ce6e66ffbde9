import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

import FoundationEssentialsCompat

@testable import CountersignRequester

extension SignInTests {
    @Suite("looking for its server")
    struct Finding {
        @Test func `finds it at the second place when the first has nothing`() async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            server.transport.reply(at: ScriptedServer.path, with: .status(.notFound))
            server.transport.reply(at: ScriptedServer.secondPath, with: .json(server.metadata))
            _ = try await server.signIn().run().result.get()
        }

        @Test func `finds it at the second place when the first has a page for people`() async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            server.transport.reply(at: ScriptedServer.path, with: .text("<html>Welcome</html>", type: "text/html"))
            server.transport.reply(at: ScriptedServer.secondPath, with: .json(server.metadata))
            _ = try await server.signIn().run().result.get()
        }

        @Test func `puts the well-known part between host and path`() async throws {
            let server = try ScriptedServer()
            let signIn = SignIn(
                at: try Issuer("https://example.com/a"),
                as: ClientIdentity(server.client),
                for: .none,
                on: SignInScreen(),
                in: server.context
            )
            let (result, _) = await signIn.run()
            #expect(throws: SignInError(.noServerFound, because: "")) { try result.get() }
            #expect(
                server.transport.sent().map(\.path) == [
                    "/.well-known/oauth-authorization-server/a", "/a/.well-known/openid-configuration",
                ]
            )
        }

        @Test(arguments: ["https://id.example.org", "https://ID.example.com", "https://id.example.com/a", ""])
        func `refuses metadata of another issuer`(name: String) async throws {
            let server = try ScriptedServer()
            var metadata = server.metadata
            metadata.issuer = name
            server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
            try await expect(.issuerMismatch, of: server)
        }

        @Test func `takes a slash at the end of the name for no difference`() async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            var metadata = server.metadata
            metadata.issuer = "https://id.example.com/"
            server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
            _ = try await server.signIn().run().result.get()
        }

        @Test(
            arguments: [EndpointName.revocation, .keys],
            ["http://e.com/x", "ftp://e.com/x", "", "https://e.com:70000/"])
        func `is not hindered by an endpoint that it does not use`(name: EndpointName, place: String) async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            server.transport.reply(at: ScriptedServer.path, with: .json(name.moved(in: server, to: place)))
            _ = try await server.signIn().run().result.get()
        }

        @Test(arguments: ["application/octet-stream", "text/plain; charset=utf-8", "text/json", ""])
        func `finds it at a host of static files`(type: String) async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            let text = String(decoding: try JSONEncoder().encode(server.metadata), as: UTF8.self)
            server.transport.reply(at: ScriptedServer.path, with: .text(text, type: type))
            _ = try await server.signIn().run().result.get()
        }

        @Test(arguments: [EndpointName.token, .deviceAuthorization])
        func `talks to no endpoint without encryption`(name: EndpointName) async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            server.transport.reply(at: ScriptedServer.path, with: .json(name.moved(in: server, to: "http://e.com/x")))
            try await expect(.insecureEndpoint, of: server)
            server.transport.reply(at: ScriptedServer.path, with: .json(name.moved(in: server, to: "ftp://e.com/x")))
            try await expect(.badAnswer, of: server)
        }

        @Test func `talks without encryption to this machine, and elsewhere when told to`() async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            var metadata = server.metadata
            metadata.tokenEndpoint = "http://127.0.0.1:8080/token"
            server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
            _ = try await server.signIn().run().result.get()
            #expect(server.transport.sent(to: "/token").first?.request.authority == "127.0.0.1:8080")

            metadata.tokenEndpoint = "http://id.example.com/token"
            server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
            _ = try await server.signIn { $0.allowingInsecureHTTP = true }.run().result.get()
        }

        @Test func `says when the server does not offer to sign in by code`() async throws {
            let server = try ScriptedServer()
            var metadata = server.metadata
            metadata.deviceAuthorizationEndpoint = nil
            server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
            try await expect(.flowNotOffered, of: server)
        }

        @Test func `asks nobody to approve when it could not verify who they are`() async throws {
            let server = try ScriptedServer()
            var metadata = server.metadata
            metadata.keysURI = nil
            server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
            let (result, _) = await server.signIn(for: ScriptedServer.openid).run()
            #expect(throws: SignInError(.identityRefused, because: "")) { try result.get() }
            #expect(server.transport.sent(to: "/device_authorization").isEmpty)
        }

        private func expect(_ code: SignInError.Code, of server: ScriptedServer) async throws {
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(code, because: "")) { try result.get() }
            #expect(server.transport.sent(to: "/device_authorization").isEmpty)
        }
    }

    enum EndpointName {
        case token, deviceAuthorization, revocation, keys

        /// The server's metadata with this endpoint elsewhere.
        func moved(in server: ScriptedServer, to place: String) -> AuthorizationServerMetadata {
            var metadata = server.metadata
            switch self {
            case .token: metadata.tokenEndpoint = place
            case .deviceAuthorization: metadata.deviceAuthorizationEndpoint = place
            case .revocation: metadata.revocationEndpoint = place
            case .keys: metadata.keysURI = place
            }
            return metadata
        }
    }
}
