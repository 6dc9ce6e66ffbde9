internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SessionID {
    /// The session of a person at a client: that of the browser that they signed in with, or else the sign-in itself.
    ///
    /// Each client knows a browser's session by another name, which does not reveal the session.
    init(of session: ApproverID?, or grant: Grant.ID, at client: ClientID) {
        let name = session.map { "browser \($0)" } ?? "grant \(grant)"
        self.init(rawValue: URLSafeText.encode(SecretDigest(of: "sid \(name) \(client)").bytes.prefix(16)))
    }
}
