internal import CountersignWire

/// A form on a page, as a browser would send it.
struct HTMLForm: Sendable {
    /// A button that sends a form.
    struct Button: Sendable {
        /// The name; empty for a button without one.
        let name: String
        let value: String
    }

    /// The path that it is sent to.
    let action: String
    /// The fields that are sent as they are: hidden ones, and radio buttons that are checked.
    var hidden = Form()
    /// The names of the fields to fill.
    var visible: [String] = []
    /// The buttons, those outside of the form too.
    var buttons: [Button] = []
    fileprivate let id: String?

    /// The answer of a button with this value is offered.
    func offers(_ value: String) -> Bool { buttons.contains { $0.value == value } }
}

/// The forms of a page, read as far as our own pages need it.
struct HTMLForms: Sendable {
    private(set) var forms: [HTMLForm] = []

    init(_ html: String) {
        var current: Int?
        var strays: [(form: String, button: HTMLForm.Button)] = []
        for tag in Self.tags(of: html) {
            switch tag.name {
            case "form":
                forms.append(HTMLForm(action: tag["action"] ?? "", id: tag["id"]))
                current = forms.count - 1
            case "/form":
                current = nil
            case "input":
                guard let current, let name = tag["name"] else { continue }
                switch tag["type"] {
                case "hidden": forms[current].hidden[name] = tag["value"] ?? ""
                case "radio": if tag["checked"] != nil { forms[current].hidden[name] = tag["value"] ?? "" }
                default: forms[current].visible.append(name)
                }
            case "button":
                let button = HTMLForm.Button(name: tag["name"] ?? "", value: tag["value"] ?? "")
                if let form = tag["form"] {
                    strays.append((form, button))
                } else if let current {
                    forms[current].buttons.append(button)
                }
            default: break
            }
        }
        for (id, button) in strays {
            guard let place = forms.firstIndex(where: { $0.id == id }) else { continue }
            forms[place].buttons.append(button)
        }
    }

    private struct Tag {
        let name: String
        var attributes: [String: String] = [:]

        subscript(attribute: String) -> String? { attributes[attribute] }
    }

    /// The start tags of forms and their fields, and the end tags of forms.
    private static func tags(of html: String) -> [Tag] {
        let wanted: Set = ["form", "/form", "input", "button"]
        var tags: [Tag] = []
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: start)...]
            let name = rest.prefix { $0.isLetter || $0 == "/" }
            guard wanted.contains(String(name)) else { continue }
            rest = rest.dropFirst(name.count)
            var tag = Tag(name: String(name))
            while let next = attribute(&rest) { tag.attributes[next.name] = next.value }
            tags.append(tag)
        }
        return tags
    }

    /// The next attribute of a tag; `nil` at its end.
    private static func attribute(_ rest: inout Substring) -> (name: String, value: String)? {
        rest = rest.drop { $0.isWhitespace }
        let name = rest.prefix { $0 != "=" && $0 != ">" && !$0.isWhitespace }
        guard !name.isEmpty else { return nil }
        rest = rest.dropFirst(name.count)
        guard rest.first == "=" else { return (String(name), "") }
        rest = rest.dropFirst()
        guard rest.first == "\"" else { return nil }
        let value = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest.dropFirst(value.count + 2)
        return (String(name), unescaped(value))
    }

    /// Replaces the references of an attribute's value.
    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[rest.index(after: start)...]
            let reference = rest.prefix { $0 != ";" }
            result += character(String(reference)).map(String.init) ?? "&\(reference);"
            rest = rest.dropFirst(reference.count + 1)
        }
        return result + rest
    }

    private static func character(_ reference: String) -> Character? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard reference.first == "#" else { return nil }
            let digits = reference.dropFirst()
            let number =
                digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
