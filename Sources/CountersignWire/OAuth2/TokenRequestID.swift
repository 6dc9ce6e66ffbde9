/// A secret that a client draws for one token request, stores before it sends the request, and sends again with each
/// repetition of it (`request_id`).
///
/// ```swift
/// let id = TokenRequestID(drawingFrom: .system)
/// var form = TokenRequest.refresh(token, scope: .none).form
/// form[TokenRequestID.parameter] = id.revealed
/// ```
///
/// The server repeats an answer that was lost on the way if the same identifier is sent again. A thief who has the code
/// or token of the request does not have the identifier. An addition of Countersign.
public struct TokenRequestID: Secret {
    /// The name of the parameter in the form of a token request.
    public static let parameter = "request_id"
    /// 128 bits are 22 characters of base64url.
    private static let lengths = 22...128

    /// The identifier in the clear.
    public let revealed: String

    public init(revealing text: String) { revealed = text }

    /// Draws a new identifier of 128 random bits.
    ///
    /// - Parameter random: The source of the bits: `.system`, or a fixed sequence in tests.
    public init(drawingFrom random: RandomSource) { revealed = URLSafeText.encode(random.bytes(16)) }

    /// Reads the identifier of a token request; `nil` for a request without one.
    ///
    /// A text that is not 22 to 128 characters of base64url counts as omitted: it is no secret, and may have another
    /// purpose.
    ///
    /// - Parameter form: The body of the request.
    public init?(form: Form) {
        guard let text = form[Self.parameter], Self.lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ URLSafeText.isUnreserved($0) && !".~".utf8.contains($0) })
        else { return nil }
        revealed = text
    }
}
