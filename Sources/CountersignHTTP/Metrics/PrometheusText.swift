/// Writes metrics in the text format of Prometheus.
///
/// Standard: Prometheus text format 0.0.4.
package struct PrometheusText: Sendable {
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Begins a metric: its description and its kind.
    mutating func begin(_ name: String, _ kind: String, _ help: String?) {
        if let help { text += "# HELP \(name) \(Self.escaped(help))\n" }
        text += "# TYPE \(name) \(kind)\n"
    }

    /// Adds one figure; `bound` is the upper bound of a part of a histogram.
    mutating func add(_ name: String, _ labels: Labels, upTo bound: String? = nil, _ value: String) {
        text += name
        var parts = labels.all.map { "\($0.name)=\"\(Self.escaped($0.value).replacing("\"", with: "\\\""))\"" }
        if let bound { parts.append("le=\"\(bound)\"") }
        if !parts.isEmpty { text += "{\(parts.joined(separator: ","))}" }
        text += " \(value)\n"
    }

    /// `label` as a valid name for Prometheus: letters, digits and underscores, not beginning with a digit.
    static func name(_ label: String) -> String {
        var name = String(
            label.unicodeScalars.map { scalar -> Character in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", ":": Character(scalar)
                default: "_"
                }
            }
        )
        if name.first.map({ $0.isNumber }) ?? true { name = "_" + name }
        return name
    }

    /// A number; whole numbers without a decimal point.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(\.description) ?? value.description
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }
}
