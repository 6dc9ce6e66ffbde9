internal import Countersign

/// The cookie of a browser that asks for a session: the code that redeems its request, and the user code that the page
/// shows, of which the server stores only digests.
///
/// It is made when the request starts, so that a cookie that an attacker planted before is not that of the request.
struct BrowserRequestCookie: Sendable {
    /// The time that a browser keeps it after the request is over, to say so, in seconds: an hour.
    static let afterwards = 3600.0

    /// The code that redeems the request.
    let code: DeviceCode
    /// The code that the page shows.
    let userCode: UserCode

    private static let separator: Character = "."
    private static let longest = 256

    /// Creates the cookie of a request.
    init(_ code: DeviceCode, _ userCode: UserCode) {
        self.code = code
        self.userCode = userCode
    }

    /// Reads a cookie; `nil` for one that the server did not make.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let end = text.lastIndex(of: Self.separator),
            let userCode = UserCode(parsing: String(text[text.index(after: end)...]))
        else { return nil }
        code = DeviceCode(revealing: String(text[..<end]))
        self.userCode = userCode
    }

    /// The value of the cookie.
    var revealed: String { "\(code.revealed)\(Self.separator)\(userCode)" }
}
