import CoreMetrics
import Metrics
import Testing

@testable import CountersignHTTP

@Suite("The figures for Prometheus")
struct PrometheusMetricsTests {
    private let metrics = PrometheusMetrics(describing: [
        MetricDescription("beats_total", "Beats\nof a \\ heart."),
        MetricDescription("lengths", "Lengths.", bounds: [1, 10]),
        MetricDescription("spans_seconds", "Spans.", bounds: [0.5, 2]),
    ])

    /// The lines of one metric.
    private func lines(_ name: String) -> [String] {
        metrics.text().split(separator: "\n").map(String.init).filter {
            $0.hasPrefix(name) || $0.hasPrefix("# HELP \(name) ") || $0.hasPrefix("# TYPE \(name) ")
        }
    }

    @Test func `say of a counter what it is and how far it came`() {
        let left = Counter(label: "beats_total", dimensions: [("side", "left")], factory: metrics)
        let right = Counter(label: "beats_total", dimensions: [("side", "right")], factory: metrics)
        left.increment()
        right.increment(by: 41)
        right.increment()
        #expect(
            lines("beats_total") == [
                #"# HELP beats_total Beats\nof a \\ heart."#, "# TYPE beats_total counter",
                #"beats_total{side="left"} 1"#, #"beats_total{side="right"} 42"#,
            ]
        )
    }

    @Test func `sort values under their bounds, each with all smaller ones`() {
        let lengths = Recorder(label: "lengths", factory: metrics)
        for length in [1, 2, 10, 11, 500] { lengths.record(length) }
        #expect(
            lines("lengths") == [
                "# HELP lengths Lengths.", "# TYPE lengths histogram", #"lengths_bucket{le="1"} 1"#,
                #"lengths_bucket{le="10"} 3"#, #"lengths_bucket{le="+Inf"} 5"#, "lengths_sum 524", "lengths_count 5",
            ]
        )
    }

    @Test func `tell times in seconds`() {
        let spans = Timer(label: "spans_seconds", factory: metrics)
        spans.recordMilliseconds(250)
        spans.recordSeconds(1)
        spans.record(duration: .seconds(2))
        #expect(
            lines("spans_seconds").dropFirst(2) == [
                #"spans_seconds_bucket{le="0.5"} 1"#, #"spans_seconds_bucket{le="2"} 3"#,
                #"spans_seconds_bucket{le="+Inf"} 3"#, "spans_seconds_sum 3.25", "spans_seconds_count 3",
            ]
        )
    }

    @Test func `follow a level up and down`() {
        let level = Meter(label: "level", factory: metrics)
        level.set(2.5)
        level.increment(by: 2.0)
        level.decrement()
        #expect(lines("level") == ["# TYPE level gauge", "level 3.5"])
        Gauge(label: "still", factory: metrics).record(7)
        #expect(lines("still") == ["# TYPE still gauge", "still 7"])
        let parts = FloatingPointCounter(label: "parts", factory: metrics)
        parts.increment(by: 0.5)
        parts.increment(by: 0.25)
        #expect(lines("parts") == ["# TYPE parts counter", "parts 0.75"])
    }

    @Test func `let no label break out of its quotes, and no name out of its letters`() {
        let labels = [("it's", "a \"quoted\" \\ word\nand a line"), ("1st", "ü")]
        Counter(label: "http.server-requests", dimensions: labels, factory: metrics).increment()
        let expected = #"http_server_requests{_1st="ü",it_s="a \"quoted\" \\ word\nand a line"} 1"#
        #expect(lines("http_server_requests").last == expected)
    }

    @Test func `count together what comes after the last place`() {
        for number in 0..<(PrometheusMetrics.mostSeries + 100) {
            Counter(label: "beats_total", dimensions: [("number", "\(number)")], factory: metrics).increment()
        }
        let all = lines("beats_total").dropFirst(2)
        #expect(all.count == PrometheusMetrics.mostSeries + 1)
        #expect(all.contains(#"beats_total{number="other"} 100"#))
    }

    @Test func `take no name for two kinds`() {
        Counter(label: "level", factory: metrics).increment()
        Meter(label: "level", factory: metrics).set(9)
        #expect(lines("level") == ["# TYPE level counter", "level 1"])
    }

    @Test func `lose nothing that is counted at the same time`() async {
        let metrics = metrics
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = Counter(label: "beats_total", factory: metrics)
                    let level = Meter(label: "level", factory: metrics)
                    for _ in 0..<1000 {
                        counter.increment()
                        level.increment()
                    }
                }
            }
        }
        #expect(lines("beats_total").last == "beats_total 8000")
        #expect(lines("level").last == "level 8000")
    }

    @Test func `tell of the process itself`() {
        let text = metrics.text()
        for name in ["resident_memory_bytes", "start_time_seconds", "open_fds", "cpu_seconds_total", "max_fds"] {
            #expect(text.contains("\nprocess_\(name) "), "\(name)")
        }
    }
}
