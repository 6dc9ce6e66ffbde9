/// The branding of the pages.
///
/// ```swift
/// settings.brand = Brand(name: "Radio Nord")
/// settings.brand.accent = AccentColor("#b00020")
/// settings.brand.privacy = PolicyLink("https://radio.example/privacy")
/// ```
public struct Brand: Sendable, Equatable {
    /// The name of the server on its pages.
    public var name: String
    /// The logo; the project's own mark when it is `nil`.
    public var logo: BrandLogo?
    /// The colour of buttons and links; the project's own when it is `nil`.
    public var accent: AccentColor?
    /// The terms of use; each page links to them.
    public var terms: PolicyLink?
    /// The privacy policy; each page links to it.
    public var privacy: PolicyLink?

    /// The maximum number of characters of a name.
    public static let longestName = 60

    /// Creates a brand.
    public init(
        name: String = "Countersign",
        logo: BrandLogo? = nil,
        accent: AccentColor? = nil,
        terms: PolicyLink? = nil,
        privacy: PolicyLink? = nil
    ) {
        self.name = name
        self.logo = logo
        self.accent = accent
        self.terms = terms
        self.privacy = privacy
    }
}

/// The address of a policy of the operator, which every page links: `https` with a host, in printable ASCII.
public struct PolicyLink: Sendable, Equatable {
    /// The address as it was given.
    public let text: String

    /// The maximum number of bytes of an address.
    public static let longest = 1024

    /// Reads an address.
    public init?(_ text: String) {
        let scheme = "https://"
        guard text.hasPrefix(scheme), text.utf8.count <= Self.longest,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) })
        else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let host = authority.prefix { $0 != ":" }
        guard !host.isEmpty, !authority.contains("@") else { return nil }
        self.text = text
    }
}
