internal import CountersignWire

extension PageRoutes {
    /// The pages to which the browser may go after signing in. Some apps append a slash to the address that they were
    /// given.
    private static let returnPages: Set = [
        "/account", PasskeysPage.path, OneTimePasswordPage.path, AuthorizePage.path, "/activate", "/activate/confirm",
        "/cpa/verify", "/cpa/verify/",
        "/admin/domains", "/admin/domains/add", "/admin/domains/change", "/admin/domains/renew",
        "/admin/domains/remove",
        "/admin/environments", "/admin/environments/add", "/admin/environments/change", "/admin/environments/remove",
        "/admin/apps/remove",
    ]

    /// Where to go after signing in: the named page if it is one of ours, or the account.
    func returnTarget(_ asked: String?) -> String {
        guard var path = asked else { return "/account" }
        if !issuer.path.isEmpty, path.hasPrefix("\(issuer.path)/") {
            path.removeFirst(issuer.path.count)
        }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        let page = path.prefix { $0 != "?" && $0 != "#" }
        let isOurs = Self.returnPages.contains(String(page))
        let longest =
            switch page {
            case AuthorizePage.path[...]: Self.longestQuery + 256
            // It leads back to the former, whose address is a parameter of it.
            case PasskeysPage.path[...]: 2 * Self.longestQuery
            default: 2048
            }
        return isPlain && isOurs && path.utf8.count <= longest ? path : "/account"
    }
}
