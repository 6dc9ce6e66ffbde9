/// The links between a screen and the phones nearby that it asked, as its token requests name them (`nearby_link`).
///
/// There are at most eight, each once, with single spaces between them. Every token request contains them, from the
/// moment when the request went over the first link.
public struct NearbyLinks: Sendable, Equatable, CustomStringConvertible {
    /// The largest number of links that one token request names.
    public static let most = 8
    static let parameter = "nearby_link"

    /// The links, in the order that they were named.
    public let ids: [NearbyLinkID]

    /// Creates a list.
    public init(_ ids: [NearbyLinkID] = []) {
        var seen: Set<NearbyLinkID> = []
        self.ids = Array(ids.filter { seen.insert($0).inserted }.suffix(Self.most))
    }

    /// Reads the links of a token request; none when it has no such parameter.
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
                .invalidRequest, "nearby_link is no list of at most \(Self.most) links", because: "malformed links")
        }
        self.init(ids)
    }

    /// The wire form: base64url with single spaces; empty when there are none.
    public var description: String { ids.map(\.description).joined(separator: " ") }
}
