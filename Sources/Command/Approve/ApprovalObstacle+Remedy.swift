internal import CountersignWire

extension ApprovalObstacle {
    /// The page and the commands by which the person of this terminal gets to an approval all the same; `nil` where only
    /// another device does.
    ///
    /// - Parameter issuer: The server of the request.
    func remedy(at issuer: Issuer) -> String? {
        let page = "In a browser: \(issuer.text)/activate"
        return switch self {
        case .nearby: nil
        case .userVerified, .other: page
        case .recent, .password, .secondFactor:
            "\(page) Here: countersign authenticator sign-out, and then: countersign authenticator enroll"
        }
    }
}
