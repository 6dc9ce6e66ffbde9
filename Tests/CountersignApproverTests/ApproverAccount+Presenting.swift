import Countersign
import CountersignApprover
import HTTPTypes

extension ApproverAccount {
    /// The account of Anna, whose requests present the first of these, and the second after the server refused it.
    static func presenting(_ first: String, then second: String) throws -> ApproverAccount {
        @Sendable func authorized(_ request: HTTPRequest, _ header: String) -> HTTPRequest {
            var request = request
            request.headerFields[.authorization] = header
            return request
        }
        return ApproverAccount(
            id: ApproverAccount.ID("anna"), issuer: try Issuer("https://id.example.com"),
            authorizing: { authorized($0, first) },
            again: { $1.status == .unauthorized ? authorized($0, second) : nil })
    }
}
