/// The fate of the first message of an event on the network.
public enum HomeFate: String, Sendable, Hashable, CaseIterable {
    /// The request arrives, and so does its answer.
    case arrives
    /// The request is lost before the server.
    case requestLost = "request lost"
    /// The request arrives, and its answer is lost.
    case answerLost = "answer lost"
    /// The request arrives twice; the sender gets the first answer.
    case repeated
    /// The sender gives up, and the request arrives some seconds later.
    case late
}
