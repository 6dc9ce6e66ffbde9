internal import CountersignWire
internal import HTTPTypes

/// An answer that does not match its endpoint.
package struct UnreadableAnswerError: Error, Sendable {
    package let reason: String
}

extension HTTPAnswer {
    /// The media types that hosts of static files give to JSON: metadata and keys are often such files.
    package static let staticMedia: Set<String> = [
        "", "application/octet-stream", "binary/octet-stream", "text/json", "text/plain",
    ]

    /// Reads the body as a JSON message, by the rule of ``ForeignMessage``.
    ///
    /// An answer of another media type is not read at all: it is some page, and not from this endpoint.
    ///
    /// - Parameter otherMedia: Further media types for JSON at this endpoint, in small letters; none by default.
    package func decoded<Message: Decodable>(
        _ message: Message.Type = Message.self,
        orAs otherMedia: Set<String> = []
    ) throws(UnreadableAnswerError) -> Message {
        let type = response.headerFields[.contentType] ?? ""
        let media = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        guard media == "application/json" || media.hasSuffix("+json") || otherMedia.contains(media) else {
            throw UnreadableAnswerError(reason: "status \(response.status.code), not JSON")
        }
        do {
            return try ForeignMessage.read(from: body)
        } catch {
            throw UnreadableAnswerError(reason: "status \(response.status.code), JSON that is no \(Message.self)")
        }
    }
}
