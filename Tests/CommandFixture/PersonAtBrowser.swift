import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A person at a browser, as far as forms and cookies go.
package actor PersonAtBrowser {
    /// It goes where it is sent by hand, because each answer may bring a cookie.
    private static let network = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)
    )

    private let base: String
    /// The cookies by their names.
    private var jar: [String: String] = [:]
    private var page = ""
    /// The values of the cookies that it was given.
    package private(set) var cookies: Set<String> = []
    /// The tokens of the forms that it was shown.
    package private(set) var formTokens: Set<String> = []

    package init(at base: String) {
        self.base = base
    }

    /// Signs in, and goes on to the account.
    package func signIn(as username: String = "anna", password: String = RunningServer.password) async throws {
        try await open("/login")
        try await submit("/login", ["username": username, "password": password, "return_to": "/account"])
    }

    /// Signs in, types the code, and decides about the request with this code.
    ///
    /// - Parameters:
    ///   - session: The time that the sign-in lasts, as the form has it; `nil` for the suggested one.
    ///   - staysForMore: Whether the page that follows is opened: a server that ends with the decision has none.
    package func decide(
        _ decision: String,
        on code: String,
        as username: String,
        password: String,
        session: String? = nil,
        staysForMore: Bool = true
    ) async throws {
        try await signIn(as: username, password: password)
        try await open("/activate")
        try await submit("/activate", ["user_code": code])
        try await submit(
            "/activate/decision",
            ["user_code": code, "decision": decision].merging(session.map { ["session": $0] } ?? [:]) { $1 },
            following: staysForMore ? 5 : 0
        )
    }

    /// The text of the page that is open.
    package var text: String { page }

    package func open(_ path: String) async throws {
        try await follow(HTTPClientRequest(url: path.hasPrefix("http") ? path : base + path))
    }

    package func submit(_ path: String, _ fields: [String: String], following redirects: Int = 5) async throws {
        var request = HTTPClientRequest(url: base + path)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        let token = page.firstMatch(of: /name="form_token" value="([^"]+)"/).map { String($0.1) } ?? ""
        let all = fields.merging(["form_token": token]) { $1 }
        let encoded = all.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        request.body = .bytes(ByteBuffer(string: encoded.joined(separator: "&")))
        try await follow(request, redirects)
    }

    private func follow(_ first: HTTPClientRequest, _ redirects: Int = 5) async throws {
        var request = first
        for _ in 0...redirects {
            let sent = jar.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
            if !sent.isEmpty { request.headers.replaceOrAdd(name: "cookie", value: sent) }
            let response = try await Self.network.execute(request, timeout: .seconds(120))
            page = String(buffer: try await response.body.collect(upTo: 1 << 20))
            for header in response.headers["set-cookie"] {
                let given = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
                guard given.count == 2 else { continue }
                jar[given[0]] = given[1]
                cookies.insert(given[1])
            }
            if let token = page.firstMatch(of: /name="form_token" value="([^"]+)"/) {
                formTokens.insert(String(token.1))
            }
            guard response.status.code < 400 else { throw Refused(status: response.status.code, page: page) }
            guard response.status == .seeOther, let next = response.headers.first(name: "location") else { return }
            request = HTTPClientRequest(url: next.hasPrefix("http") ? next : base + next)
        }
    }

    /// The server showed another page than a person hopes for.
    package struct Refused: Error {
        package let status: UInt
        package let page: String
    }
}
