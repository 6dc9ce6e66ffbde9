/// The tags of an HTML document as a browser would cut them: by Unicode scalars, minding quotes.
struct Markup {
    struct Tag {
        let name: String
        let attributes: [String: String]
        let isEnd: Bool
    }

    let tags: [Tag]

    init(_ html: String) {
        var tags: [Tag] = []
        var rest = Array(html.unicodeScalars)[...]
        while let start = rest.firstIndex(of: "<") {
            rest = rest[(start + 1)...]
            let isEnd = rest.first == "/"
            if isEnd { rest.removeFirst() }
            let name = Self.word(&rest)
            tags.append(Tag(name: name, attributes: Self.attributes(&rest), isEnd: isEnd))
        }
        self.tags = tags
    }

    /// The opening tags of this name.
    func all(_ name: String) -> [Tag] {
        tags.filter { $0.name == name && !$0.isEnd }
    }

    /// Each form: its own tag, and the tags that belong to it, because they stand in it or name it by its `id`.
    var forms: [(form: Tag, inside: [Tag])] {
        let starts = all("form")
        var inside = [[Tag]](repeating: [], count: starts.count)
        var started = 0
        var open: Int?
        for tag in tags {
            if tag.name == "form" {
                open = tag.isEnd ? nil : started
                if !tag.isEnd { started += 1 }
            } else if let id = tag.attributes["form"] {
                if let owner = starts.firstIndex(where: { $0.attributes["id"] == id }) { inside[owner].append(tag) }
            } else if let open {
                inside[open].append(tag)
            }
        }
        return starts.indices.map { (form: starts[$0], inside: inside[$0]) }
    }

    private static func word(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        let word = rest.prefix { !" \n\t/>=".unicodeScalars.contains($0) }
        rest = rest.dropFirst(word.count)
        return String(String.UnicodeScalarView(word)).lowercased()
    }

    private static func attributes(_ rest: inout ArraySlice<Unicode.Scalar>) -> [String: String] {
        var attributes: [String: String] = [:]
        while let next = rest.first, next != ">" {
            if " \n\t/=".unicodeScalars.contains(next) {
                rest.removeFirst()
                continue
            }
            let name = word(&rest)
            guard rest.first == "=" else {
                attributes[name] = ""
                continue
            }
            rest.removeFirst()
            guard let quote = rest.first, quote == "\"" || quote == "'" else {
                attributes[name] = word(&rest)
                continue
            }
            let value = rest.dropFirst().prefix { $0 != quote }
            attributes[name] = String(String.UnicodeScalarView(value))
            rest = rest.dropFirst(value.count + 2)
        }
        return attributes
    }
}
