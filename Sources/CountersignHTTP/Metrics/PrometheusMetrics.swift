internal import Countersign
public import CoreMetrics
internal import NIOConcurrencyHelpers

/// Keeps metrics in memory and writes them in the text format of Prometheus.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// let server = try AuthorizationServer(
///     settings, keeping: store, clock: .system, random: .system, logger: logger, measuring: metrics
/// )
/// print(metrics.text())
/// ```
///
/// Counting takes a few atomic additions. The number of label combinations of one metric is bounded: further
/// combinations are counted together under the value `other`. Characters of names that Prometheus does not allow are
/// replaced.
public final class PrometheusMetrics: MetricsFactory {
    /// The largest number of label combinations of one metric.
    static let mostSeries = 500

    struct Family: Sendable {
        let kind: Kind
        var series: [Labels: any PrometheusSeries] = [:]
    }

    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    private let families = NIOLockedValueBox<[String: Family]>([:])
    private let descriptions: [String: MetricDescription]

    /// Creates an empty collection of metrics.
    ///
    /// - Parameter descriptions: The sentences and bucket bounds of metrics; those of a server by default. A metric
    ///   without a description gets usual bounds and no sentence.
    public init(describing descriptions: [MetricDescription] = MetricDescription.all) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the current figures, those of the process included.
    ///
    /// Standard: Prometheus text format 0.0.4.
    public func text() -> String {
        var text = PrometheusText()
        let families = families.withLockedValue { $0 }
        for name in families.keys.sorted() {
            guard let family = families[name] else { continue }
            text.begin(name, family.kind.rawValue, descriptions[name]?.help)
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.write(name, labels, to: &text)
            }
        }
        ProcessFigures.write(to: &text)
        return text.text
    }

    // MARK: The factory of swift-metrics

    /// Returns the counter with this name and these labels, creating it if needed.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) { PrometheusCounter() }
    }

    /// Returns the counter of fractions with this name and these labels, creating it if needed.
    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter) { PrometheusGauge() }
    }

    /// Returns the gauge with this name and these labels, creating it if needed.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) { PrometheusGauge() }
    }

    /// Returns the recorder with this name and these labels, creating it if needed.
    ///
    /// - Parameters:
    ///   - label: The metric's name; characters that Prometheus does not allow are replaced.
    ///   - dimensions: Names and values of the labels.
    ///   - aggregate: Whether values are sorted into a histogram; otherwise it is a gauge of the last value.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, .gauge) { PrometheusGauge() } }
        let bounds = bounds(of: label, or: MetricDescription.batches)
        return series(label, dimensions, .histogram) { PrometheusHistogram(bounds: bounds, unit: 1) }
    }

    /// Returns the timer with this name and these labels, creating it if needed; it is a histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let bounds = bounds(of: label, or: MetricDescription.latencies)
        return series(label, dimensions, .histogram) { PrometheusHistogram(bounds: bounds, unit: 1e9) }
    }

    /// Does nothing: the figure stays, because a counter that vanishes looks like a restart.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing: the figure stays.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing: the figure stays.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing: the figure stays.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing: the figure stays.
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func bounds(of label: String, or standard: [Double]) -> [Double] {
        guard let bounds = descriptions[PrometheusText.name(label)]?.bounds, !bounds.isEmpty else { return standard }
        return bounds.sorted()
    }

    /// The series with this name and these labels. If the name belongs to another kind of metric, a series that is
    /// never written out.
    private func series<Series: PrometheusSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: Kind,
        make: () -> Series
    ) -> Series {
        let name = PrometheusText.name(label)
        return families.withLockedValue { families in
            var family = families[name] ?? Family(kind: kind)
            guard family.kind == kind else { return make() }
            var labels = Labels(dimensions)
            if family.series[labels] == nil, family.series.count >= Self.mostSeries { labels = labels.others }
            if let known = family.series[labels] { return known as? Series ?? make() }
            let made = make()
            family.series[labels] = made
            families[name] = family
            return made
        }
    }
}

/// The labels of one series, sorted by name.
struct Labels: Sendable, Hashable, Comparable {
    struct Label: Sendable, Hashable {
        let name: String
        let value: String
    }

    let all: [Label]

    init(_ dimensions: [(String, String)]) {
        all = dimensions.map { Label(name: PrometheusText.name($0), value: $1) }.sorted { $0.name < $1.name }
    }

    /// The same names, each with the value `other`.
    var others: Labels { Labels(all.map { ($0.name, "other") }) }

    static func < (left: Labels, right: Labels) -> Bool {
        left.all.map(\.value).lexicographicallyPrecedes(right.all.map(\.value))
    }
}
