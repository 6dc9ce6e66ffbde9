#if SecretService && os(Linux)
internal import CLibSecret

/// A value that came over the bus, as far as this package reads such values.
///
/// Standard: D-Bus specification, "Type System".
package enum BusValue: Sendable, Equatable {
    /// A string or the path of an object.
    case text(String)
    case flag(Bool)
    case number(Int)
    /// An array or a structure.
    case list([BusValue])
    /// A dictionary whose keys are texts.
    case dictionary([String: BusValue])
    /// A value of another type.
    case other

    /// Copies a value of GLib. Variants are unwrapped.
    init(_ variant: OpaquePointer) {
        switch g_variant_classify(variant) {
        case G_VARIANT_CLASS_STRING, G_VARIANT_CLASS_OBJECT_PATH:
            self = g_variant_get_string(variant, nil).map { .text(String(cString: $0)) } ?? .other
        case G_VARIANT_CLASS_BOOLEAN: self = .flag(g_variant_get_boolean(variant) != 0)
        case G_VARIANT_CLASS_INT32: self = .number(Int(g_variant_get_int32(variant)))
        case G_VARIANT_CLASS_UINT32: self = .number(Int(g_variant_get_uint32(variant)))
        case G_VARIANT_CLASS_VARIANT: self = Self.children(of: variant).first ?? .other
        case G_VARIANT_CLASS_TUPLE, G_VARIANT_CLASS_DICT_ENTRY: self = .list(Self.children(of: variant))
        case G_VARIANT_CLASS_ARRAY:
            let isDictionary = String(cString: g_variant_get_type_string(variant)).hasPrefix("a{")
            let children = Self.children(of: variant)
            self = isDictionary ? .dictionary(Self.entries(children)) : .list(children)
        default: self = .other
        }
    }

    private static func children(of variant: OpaquePointer) -> [BusValue] {
        (0..<g_variant_n_children(variant)).compactMap { index in
            guard let child = g_variant_get_child_value(variant, index) else { return nil }
            defer { g_variant_unref(child) }
            return BusValue(child)
        }
    }

    private static func entries(_ pairs: [BusValue]) -> [String: BusValue] {
        var entries: [String: BusValue] = [:]
        for case .list(let pair) in pairs where pair.count == 2 {
            if case .text(let key) = pair[0] { entries[key] = pair[1] }
        }
        return entries
    }

    /// The text; `nil` for a value of another type.
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The number; `nil` for a value of another type.
    package var number: Int? { if case .number(let number) = self { number } else { nil } }
    /// The flag; `nil` for a value of another type.
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    /// The members; `nil` for a value of another type.
    package var dictionary: [String: BusValue]? { if case .dictionary(let members) = self { members } else { nil } }
}
#endif
