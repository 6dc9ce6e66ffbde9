import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

extension TestBrowser {
    /// Asks for a code to type on a screen, and reads it on the page.
    func newCode() async throws -> PersonCode {
        let made = try await post("activate/code", [:])
        #expect(made.location?.hasSuffix("/activate/code") == true, "\(made.text)")
        return try #require(try await shownCode())
    }

    /// The code that the page shows; `nil` for none.
    func shownCode() async throws -> PersonCode? {
        let page = try await get("activate/code")
        return page.text.firstMatch(of: /<strong class="code">([0-9 ]+)</).flatMap { PersonCode(parsing: String($0.1)) }
    }

    /// The request that the code started, by the address that the page leads to; `nil` while it shows the code.
    func startedRequest() async throws -> SignInRequest.ID? {
        guard let location = try await get("activate/code").location else { return nil }
        let found = location.firstMatch(of: /\/activate\/confirm\?request=([\w-]+)$/)
        return found.map { SignInRequest.ID(String($0.1)) }
    }

    /// Answers a request that is addressed to the person.
    @discardableResult
    func answer(_ decision: String, request: SignInRequest.ID) async throws -> TestResponse {
        try await post("activate/decision", ["request": request.rawValue, "decision": decision])
    }
}

extension TestServer {
    /// Asks as a screen where a person typed a code.
    func ask(
        typing code: PersonCode,
        as client: TestClients = .tv,
        deviceName: String? = nil,
        scope: String? = nil,
        from address: String? = nil,
        showingNumbers: Bool = false
    ) async throws -> TestResponse {
        var form = client.form
        form["person_code"] = code.grouped
        form["device_name"] = deviceName
        form["scope"] = scope
        var headers: HTTPFields = [:]
        headers[.xForwardedFor] = address
        if showingNumbers { headers[.prefer] = NumberPreference().headerValue }
        return try await post(path("device_authorization"), form, headers: headers)
    }

    /// The codes of a screen where a person typed a right code.
    func asked(typing code: PersonCode, scope: String? = nil) async throws -> DeviceAuthorizationResponse {
        try await ask(typing: code, scope: scope).json(DeviceAuthorizationResponse.self)
    }

    /// A code that is not `code`.
    static func another(than code: PersonCode) -> PersonCode {
        PersonCode(revealing: code.revealed == "00000000" ? "00000001" : "00000000")
    }
}
