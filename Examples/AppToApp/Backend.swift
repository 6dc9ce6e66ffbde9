import CountersignRequester
import Foundation

/// The app's own server, as the app sees it: it gets the code, and gives a session of its own.
struct Backend {
    let address: String

    func signIn(with handover: CodeHandover) async throws -> String {
        var request = try Endpoint("\(address)/sign-in").request(.post)
        request.headerFields[.contentType] = "application/json"
        let body = try JSONEncoder().encode(handover)
        let answer = try await AsyncHTTPTransport().send(request, body: Array(body), within: .seconds(20))
        return String(decoding: answer.body, as: UTF8.self)
    }
}
