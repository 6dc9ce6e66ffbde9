import CountersignTransport
import Foundation
import Hummingbird

/// The cinema's own service: it gives tickets to whoever is signed in, and takes each of them once.
struct CinemaService {
    private let host: String
    private let port: Int
    private let tickets = Tickets()

    init(at address: String) throws {
        let parts = address.split(separator: ":")
        guard parts.count == 2, let port = Int(parts[1]) else { throw CinemaError(description: "Which port?") }
        (host, self.port) = (String(parts[0]), port)
    }

    func run() async throws {
        let session = Self.secret()
        let router = Router()
        router.post("tickets") { [tickets] request, _ in
            guard request.headers[.authorization] == "Bearer \(session)" else { throw HTTPError(.unauthorized) }
            return await tickets.make()
        }
        router.post("redeem") { [tickets] request, _ in
            let ticket = String(buffer: try await request.body.collect(upTo: 1024))
            guard await tickets.take(ticket) else { throw HTTPError(.gone) }
            return "Anna"
        }
        Cinema.say("Anna's phone is signed in with \(session)")
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [host, port] channel in
                Cinema.say("The cinema answers at http://\(host):\(channel.localAddress?.port ?? port)")
            }
        )
        try await application.runService()
    }

    /// The tickets that nobody has used.
    private actor Tickets {
        private var unused: Set<String> = []

        func make() -> String {
            let ticket = CinemaService.secret()
            unused.insert(ticket)
            return ticket
        }

        func take(_ ticket: String) -> Bool { unused.remove(ticket) != nil }
    }

    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
    }
}

/// The cinema's service, as its apps see it.
struct TicketBox {
    private let authority: String

    init(at service: String) throws {
        guard let url = URL(string: service), let host = url.host(), let port = url.port, url.scheme == "http" else {
            throw CinemaError(description: "The service is at an address like http://127.0.0.1:8003.")
        }
        authority = "\(host):\(port)"
    }

    /// A ticket for somebody who is signed in.
    func ticket(for session: String) async throws -> String {
        var request = HTTPRequest(method: .post, scheme: "http", authority: authority, path: "/tickets")
        request.headerFields[.authorization] = "Bearer \(session)"
        return try await answer(to: request)
    }

    /// Redeems a ticket, and returns the name of the person who is let in.
    func redeem(_ ticket: String) async throws -> String {
        let request = HTTPRequest(method: .post, scheme: "http", authority: authority, path: "/redeem")
        return try await answer(to: request, body: Array(ticket.utf8))
    }

    private func answer(to request: HTTPRequest, body: [UInt8] = []) async throws -> String {
        let answer = try await AsyncHTTPTransport().send(request, body: body, within: .seconds(10))
        guard answer.response.status == .ok else { throw CinemaError(description: "The cinema says no.") }
        return String(decoding: answer.body, as: UTF8.self)
    }
}
