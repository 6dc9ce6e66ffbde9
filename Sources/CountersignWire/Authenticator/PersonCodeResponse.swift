/// The code that a device shows its person, to be typed on the screen that they want to sign in.
///
/// ```json
/// {"person_code": "12345678", "expires_in": 120}
/// ```
///
/// This is an addition of Countersign.
public struct PersonCodeResponse: Sendable, Equatable, Codable {
    /// The code; ``Countersign/PersonCode/grouped`` is its form for the person.
    @SecretMember public private(set) var code: PersonCode
    /// The lifetime of the code, in seconds.
    public let expiresIn: Int

    /// Creates an answer.
    public init(code: PersonCode, expiresIn: Int) {
        self.code = code
        self.expiresIn = expiresIn
    }

    enum CodingKeys: String, CodingKey {
        case code = "person_code"
        case expiresIn = "expires_in"
    }
}
