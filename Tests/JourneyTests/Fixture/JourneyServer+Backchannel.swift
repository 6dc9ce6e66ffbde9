import Countersign
import CountersignServer
import CountersignTransport
import CountersignWire
import Foundation
import Testing

extension JourneyServer {
    /// Lets the backend ask Anna over the back channel.
    ///
    /// - Parameter showsNumber: Whether the backend shows a number, which Anna has to type from then on.
    func backendAsks(
        _ message: String? = "Order 42",
        showingNumber showsNumber: Bool = false
    ) async throws -> BackchannelAuthenticationResponse {
        if showsNumber {
            try await change { repositories in
                var backend = try #require(try repositories.clients.find(JourneyParties.backend))
                backend.backchannel.showsNumber = true
                try repositories.clients.update(backend)
            }
        }
        var form = JourneyParties.backendCredentials
        form["scope"] = "openid"
        form["login_hint"] = JourneyPerson.anna.username
        form["binding_message"] = message
        let answer = try await LoopbackHTTP.post(form, to: issuer.appending("bc-authorize"))
        return try JSONDecoder().decode(BackchannelAuthenticationResponse.self, from: Data(answer.body))
    }
}

extension JourneyParties {
    /// Identifies and authenticates the backend.
    static var backendCredentials: Form {
        ["client_id": backend.rawValue, "client_secret": backendSecret.revealed]
    }
}
