/// A link to a page of this server.
struct PageLink: Sendable, Equatable {
    let linkAddress: String
    let linkTitle: LocalizedText

    init(_ title: LocalizedText, to address: String) {
        linkAddress = address
        linkTitle = title
    }
}
