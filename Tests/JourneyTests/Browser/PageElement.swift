/// One element of the page that a browser shows.
///
/// It is bound to that page: after another has loaded, every call throws `stale element reference`.
struct PageElement: Sendable, Equatable {
    private let id: String
    private let session: WebDriverSession

    /// The member of WebDriver's references to elements.
    ///
    /// Standard: W3C WebDriver, Elements.
    private static let reference = "element-6066-11e4-a52e-4f735466cecf"

    init(_ value: JSONValue, in session: WebDriverSession) throws {
        guard let id = value[PageElement.reference]?.string else {
            throw WebDriverError.unexpectedAnswer("\(value)", to: "find element")
        }
        self.id = id
        self.session = session
    }

    static func == (one: PageElement, other: PageElement) -> Bool { one.id == other.id }

    /// Clicks in its middle; if that leads to another page, the next command waits for it.
    func click() async throws { try await session.post("/element/\(id)/click") }

    /// Types at the end of what is in the field.
    func type(_ text: String) async throws {
        try await session.post("/element/\(id)/value", ["text": .string(text)])
    }

    /// Empties the field.
    func clear() async throws { try await session.post("/element/\(id)/clear") }

    /// The text that a person can read in it.
    func text() async throws -> String { try await get("text").string ?? "" }

    /// The attribute as the markup has it; nil when it has none.
    func attribute(_ name: String) async throws -> String? { try await get("attribute/\(name)").string }

    /// The property of the live element, such as a field's present `value`.
    func property(_ name: String) async throws -> JSONValue { try await get("property/\(name)") }

    /// The computed style, for instance `css("color")`.
    func css(_ property: String) async throws -> String { try await get("css/\(property)").string ?? "" }

    /// The tag's name in lower case.
    func tag() async throws -> String { try await get("name").string ?? "" }

    /// The role that a screen reader announces.
    func role() async throws -> String { try await get("computedrole").string ?? "" }

    /// The name that a screen reader announces.
    func label() async throws -> String { try await get("computedlabel").string ?? "" }

    func isShown() async throws -> Bool { try await get("displayed").bool ?? false }

    func isEnabled() async throws -> Bool { try await get("enabled").bool ?? false }

    /// Its place on the page and its size, in CSS pixels.
    func frame() async throws -> Frame {
        let rect = try await get("rect")
        guard let x = rect["x"]?.number, let y = rect["y"]?.number,
            let width = rect["width"]?.number, let height = rect["height"]?.number
        else { throw WebDriverError.unexpectedAnswer("\(rect)", to: "rect") }
        return Frame(x: x, y: y, width: width, height: height)
    }

    struct Frame: Sendable, Equatable {
        let x, y, width, height: Double
    }

    private func get(_ what: String) async throws -> JSONValue { try await session.get("/element/\(id)/\(what)") }
}
