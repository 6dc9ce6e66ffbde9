internal import Foundation

/// A name in a path as a server may read it that ignores case, invisible characters, spaces around a name and dots at its
/// end, takes characters for their compatibility forms, and decodes a path before it takes it apart: `;` begins a path
/// parameter there, and `?` and `#` end the path.
///
/// Standard: RFC 3986 §3.3 to §3.5; Unicode Standard Annex #15 (NFKC).
struct FoldedName: Sendable, Equatable {
    /// The name; empty where the path ends before it.
    let text: String
    /// Whether the name has a path parameter.
    let hasParameter: Bool
    /// Whether the path ends in the name.
    let endsPath: Bool

    /// Folds a name; `nil` when nothing is left of it but for the end of the path, when its compatibility form is several
    /// names, and when that could be decoded once more.
    init?(_ name: String) {
        guard let form = Self.form(of: name) else { return nil }
        let scalars = form.unicodeScalars
        var rest = scalars.prefix { !Self.isMark($0) }
        hasParameter = rest.endIndex < scalars.endIndex && scalars[rest.endIndex] == ";"
        endsPath = scalars[rest.endIndex...].contains(where: Self.endsPath)
        let isMarkFirst = scalars.first.map(Self.endsPath) ?? false
        rest = rest.drop(while: \.properties.isWhitespace)
        while let last = rest.last, last == "." || last.properties.isWhitespace { rest.removeLast() }
        guard !rest.isEmpty || isMarkFirst else { return nil }
        text = String(rest)
    }

    /// The small letters of a name, in their compatibility form; `nil` when that is ambiguous.
    private static func form(of name: String) -> String? {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        let scalars = name.precomposedStringWithCompatibilityMapping.unicodeScalars
        let visible = String(String.UnicodeScalarView(scalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
        guard !visible.utf8.contains(where: "/\\".utf8.contains), !SitePath.hasEncoding(Array(visible.utf8)) else {
            return nil
        }
        // Servers ignore case by small letters, or by capitals: ſ is S there.
        return visible.uppercased().lowercased()
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == ";" || endsPath(scalar) }

    private static func endsPath(_ scalar: Unicode.Scalar) -> Bool { scalar == "?" || scalar == "#" }
}
