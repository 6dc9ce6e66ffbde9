public import Countersign

/// The links over which a screen has asked phones nearby, as its token requests name them: `nearby_link`.
///
/// At most eight, with single spaces between them, each once. They stand in every token request from the moment in
/// which the request went over the first of them.
public struct NearbyLinks: Sendable, Equatable, CustomStringConvertible {
    /// The most that one token request names.
    public static let most = 8
    static let parameter = "nearby_link"

    /// In the order in which they were named.
    public let ids: [NearbyLinkID]

    /// These links; of more than eight the last ones.
    public init(_ ids: [NearbyLinkID] = []) {
        var seen: Set<NearbyLinkID> = []
        self.ids = Array(ids.filter { seen.insert($0).inserted }.suffix(Self.most))
    }

    /// The links that a token request names; none when it has no such parameter.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for anything but one to eight different links.
    init(form: Form) throws(OAuthError) {
        guard let text = form[Self.parameter] else {
            self.init()
            return
        }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let ids = parts.count <= Self.most ? parts.compactMap { NearbyLinkID(parsing: $0) } : []
        guard !ids.isEmpty, ids.count == parts.count, Set(ids).count == ids.count else {
            throw OAuthError(
                .invalidRequest,
                "nearby_link is no list of at most \(Self.most) links",
                because: "malformed links"
            )
        }
        self.init(ids)
    }

    /// The wire form; empty when there are none.
    public var description: String { ids.map(\.description).joined(separator: " ") }
}
