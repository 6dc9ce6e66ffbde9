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

    /// Each form: its own tag, and the tags inside it.
    var forms: [(form: Tag, inside: [Tag])] {
        var forms: [(Tag, [Tag])] = []
        var open: (Tag, [Tag])?
        for tag in tags {
            if tag.name == "form", !tag.isEnd {
                open = (tag, [])
            } else if tag.name == "form", let closed = open {
                forms.append(closed)
                open = nil
            } else {
                open?.1.append(tag)
            }
        }
        return forms
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
