internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An answer that is not what its endpoint says.
package struct Unreadable: Error, Sendable {
    package let reason: String
}

extension HTTPAnswer {
    /// Reads the body as a JSON message.
    ///
    /// An answer of another media type is not read at all: it is some page, and not from this endpoint.
    ///
    /// - Parameter otherMedia: A further media type for JSON at this endpoint, in small letters; none by default.
    package func decoded<Message: Decodable>(
        _ message: Message.Type = Message.self,
        orAs otherMedia: String? = nil
    ) throws(Unreadable) -> Message {
        let type = response.headerFields[.contentType] ?? ""
        let media = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        guard media == "application/json" || media.hasSuffix("+json") || media == otherMedia else {
            throw Unreadable(reason: "status \(response.status.code), not JSON")
        }
        do {
            return try JSONDecoder().decode(Message.self, from: Data(body))
        } catch {
            throw Unreadable(reason: "status \(response.status.code), JSON that is no \(Message.self)")
        }
    }
}
