import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import NIOCore
import TestShell

/// Debian's Apache with mod_auth_openidc: a relying party that others wrote, registered with a server.
enum Apache {
    private static let secret = ClientSecret(revealing: "members-6b1f0d2c4e8a9375")

    /// Runs the site for as long as `body` takes, which gets its address.
    ///
    /// `/members/` is for people who are signed in; `/bye.html` for everybody.
    static func with(
        at server: JourneyServer,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (String) async throws -> Void
    ) async throws {
        let place = FileManager.default.temporaryDirectory.appending(component: "countersign-apache-\(UUID())")
        try FileManager.default.createDirectory(
            at: place.appending(path: "site/members"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        // Apache wants to be told its port; it is kept for it until then.
        let port = try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0))
        let site = "http://127.0.0.1:\(port.number)"
        let farewell = "\(site)/bye.html".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        try await register(site, at: server)
        try write(configuration(of: site, port: port.number, in: place, at: server.issuer), to: place, "httpd.conf")
        try write(
            """
            <!DOCTYPE html><title>Members</title><link rel="icon" href="data:,"><h1>Members</h1>
            <p>You are <!--#echo var="REMOTE_USER" -->, <!--#echo var="OIDC_CLAIM_name" -->.</p>
            <a href="/members/done?logout=\(farewell)">Sign out</a>
            """,
            to: place,
            "site/members/index.shtml"
        )
        try write(
            "<!DOCTYPE html><title>Bye</title><link rel=icon href='data:,'><h1>Bye</h1>", to: place, "site/bye.html")

        let program = try LoggedProgram(
            "/usr/sbin/apache2",
            ["-f", place.appending(component: "httpd.conf").path, "-D", "FOREGROUND"],
            environment: ["PATH": "/usr/bin:/bin", "NO_PROXY": "*"],
            printingTo: place.appending(component: "apache.log")
        )
        do {
            try await ExampleProgram.answers("127.0.0.1:\(port.number)")
            try await body(site)
        } catch {
            program.signal(SIGTERM)
            _ = try? await program.ended()
            throw error
        }
        program.signal(SIGTERM)
        _ = try await program.ended()
    }

    private static func register(_ site: String, at server: JourneyServer) async throws {
        try await server.registerSite(
            ClientID("members"),
            called: "Members’ site",
            with: secret,
            for: Scope([.openid, .profile]),
            RedirectRegistration(
                redirectURIs: ["\(site)/members/done"],
                postLogoutRedirectURIs: ["\(site)/bye.html"],
                backChannelLogout: BackChannelLogout(uri: "\(site)/members/done?logout=backchannel")
            )
        )
    }

    private static func write(_ text: String, to place: URL, _ name: String) throws {
        try Data(text.utf8).write(to: place.appending(path: name))
    }

    private static func configuration(of site: String, port: Int, in place: URL, at issuer: Issuer) -> String {
        let modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "mime", "include", "auth_openidc"]
        let loading = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
        return """
            ServerRoot \(place.path)
            ServerName 127.0.0.1
            Listen 127.0.0.1:\(port)
            PidFile \(place.path)/httpd.pid
            ErrorLog \(place.path)/error.log
            \(loading.joined(separator: "\n"))
            TypesConfig /dev/null
            AddType text/html .html .shtml
            DocumentRoot \(place.path)/site
            OIDCProviderMetadataURL \(issuer)/.well-known/openid-configuration
            OIDCClientID members
            OIDCClientSecret \(secret.revealed)
            OIDCRedirectURI \(site)/members/done
            OIDCCryptoPassphrase a-passphrase-of-this-test
            OIDCScope "openid profile"
            OIDCPKCEMethod S256
            OIDCRemoteUserClaim preferred_username
            <Location /members>
                AuthType openid-connect
                Require valid-user
                Options +Includes
                AddOutputFilter INCLUDES .shtml
            </Location>

            """
    }
}
