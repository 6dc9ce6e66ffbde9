import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded

@testable import CountersignServer

/// The answer to a token request from a network address.
struct AddressedAnswer: Sendable {
    let bytes: [UInt8]
    let isGood: Bool

    /// The tokens.
    var tokens: TokenResponse? { isGood ? try? JSONDecoder().decode(TokenResponse.self, from: Data(bytes)) : nil }
    /// The error; `nil` for tokens.
    var error: OAuthError.Code? {
        isGood ? nil : try? JSONDecoder().decode(OAuthErrorResponse.self, from: Data(bytes)).error
    }
}

// Requests of clients that lost an answer, and of thieves.
extension TestServer {
    /// Sends a token request from an address, with the identifier of the request.
    func token(
        _ request: TokenRequest,
        with credentials: Form,
        from address: String? = "192.0.2.7",
        id: TokenRequestID? = nil,
        headers: HTTPFields = [:]
    ) async throws -> AddressedAnswer {
        let channel = NIOAsyncTestingChannel()
        if let address { channel.remoteAddress = try SocketAddress(ipAddress: address, port: 4711) }
        var form = try request.form.with(credentials)
        form[TokenRequestID.parameter] = id?.revealed
        let response = try await post(path("token"), form, headers: headers, on: channel)
        return AddressedAnswer(bytes: try await response.bytes(), isGood: response.status == .ok)
    }

    /// Replaces a refresh token.
    func refresh(
        _ token: RefreshToken?,
        as client: TestClients = .tv,
        from address: String?,
        id: TokenRequestID? = nil,
        headers: HTTPFields = [:]
    ) async throws -> AddressedAnswer {
        let request = TokenRequest.refresh(token ?? RefreshToken(revealing: ""), scope: .none)
        return try await self.token(request, with: client.form, from: address, id: id, headers: headers)
    }
}
