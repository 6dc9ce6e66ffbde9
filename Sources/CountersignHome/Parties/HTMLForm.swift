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
    /// The fields that are sent as they are: hidden ones, and options that are selected.
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
        var (current, list): (Int?, String?)
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
                default: forms[current].visible.append(name)
                }
            case "select": list = tag["name"]
            case "option":
                guard let current, let list, tag["selected"] != nil else { continue }
                forms[current].hidden[list] = tag["value"] ?? ""
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
        var html = html
        return html.withUTF8 { bytes in
            var reader = TagReader(bytes: bytes)
            var tags: [Tag] = []
            while let name = reader.nextTag() {
                var tag = Tag(name: name)
                while let (name, value) = reader.nextAttribute() { tag.attributes[name] = unescaped(value[...]) }
                tags.append(tag)
            }
            return tags
        }
    }

    /// Reads tags byte by byte: a campaign reads hundreds of thousands of pages.
    private struct TagReader {
        private static let names: Set = ["form", "/form", "input", "select", "option", "button"]
        private static let blanks: Set = [
            UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"),
        ]

        let bytes: UnsafeBufferPointer<UInt8>
        private var place = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        /// Goes past the name of the next tag that counts; returns `nil` at the end.
        mutating func nextTag() -> String? {
            while place < bytes.count {
                place += 1
                guard bytes[place - 1] == UInt8(ascii: "<") else { continue }
                let name = text { !($0 == UInt8(ascii: "/") || $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")) }
                if Self.names.contains(name) { return name }
            }
            return nil
        }

        /// Goes past the next attribute; returns `nil` at the end of the tag.
        mutating func nextAttribute() -> (name: String, value: String)? {
            while place < bytes.count, Self.blanks.contains(bytes[place]) { place += 1 }
            let name = text { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") || Self.blanks.contains($0) }
            guard !name.isEmpty else { return nil }
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return (name, "") }
            place += 1
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
            place += 1
            let value = text { $0 == UInt8(ascii: "\"") }
            place = min(place + 1, bytes.count)
            return (name, value)
        }

        /// Takes the text before the first byte that ends it.
        private mutating func text(upTo isEnd: (UInt8) -> Bool) -> String {
            let start = place
            while place < bytes.count, !isEnd(bytes[place]) { place += 1 }
            return String(decoding: bytes[start..<place], as: UTF8.self)
        }
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
