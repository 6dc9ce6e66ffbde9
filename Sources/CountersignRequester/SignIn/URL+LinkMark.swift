internal import Countersign
internal import FoundationEssentialsCompat

extension URL {
    /// The link with this mark in place of its older one; unchanged without a mark.
    func marked(_ mark: LinkMark?) -> URL {
        guard let mark, var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return self }
        let older = "\(LinkMark.parameter)="
        let others = (parts.percentEncodedQuery ?? "").split(separator: "&").filter { !$0.hasPrefix(older) }
        parts.percentEncodedQuery = others.isEmpty ? nil : others.joined(separator: "&")
        return (parts.url ?? self).adding(LinkMark.parameter, mark.rawValue)
    }
}
