import Foundation

extension Browser {
    /// The elements that reach beyond the right or left edge, as short tags; empty when all fits.
    ///
    /// The page's width is that of its layout: on a phone `innerWidth` grows with content that is too
    /// wide, and would hide just what is looked for. What scrolls inside a box of its own may be wide.
    func overflow() async throws -> [String] {
        let found = try await run(
            """
            const width = document.documentElement.clientWidth;
            const boxed = (element) => {
                for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
                    if (getComputedStyle(box).overflowX !== 'visible') return true;
                }
                return false;
            };
            const out = [...document.body.querySelectorAll('*')].filter((element) => {
                const edge = element.getBoundingClientRect();
                const wide = edge.width > 1 && (edge.right > width + 0.5 || edge.left < -0.5);
                return wide && !boxed(element);
            }).map((element) => element.cloneNode(false).outerHTML.slice(0, 120));
            if (out.length === 0 && document.documentElement.scrollWidth > width) {
                out.push('the page is ' + document.documentElement.scrollWidth + ' wide, of ' + width);
            }
            return out;
            """
        )
        return (found.array ?? []).compactMap(\.string)
    }

    /// The width and height that pages have for their layout, in CSS pixels.
    func viewport() async throws -> (width: Int, height: Int) {
        let size = try await run(
            "return [document.documentElement.clientWidth, document.documentElement.clientHeight]"
        )
        let numbers = (size.array ?? []).compactMap(\.number).map { Int($0) }
        guard numbers.count == 2 else { throw WebDriverError.unexpectedAnswer("\(size)", to: "viewport") }
        return (numbers[0], numbers[1])
    }

    /// The names, as a screen reader would say them, of what the Tab key reaches, from the page's top.
    ///
    /// Ends where the focus leaves the page or comes round, at the latest after `limit` presses.
    func tabOrder(limit: Int = 50) async throws -> [String] {
        try await run("document.activeElement?.blur()")
        var seen: [PageElement] = []
        var names: [String] = []
        for _ in 0..<limit {
            try await press(.tab)
            let reached = try await focused()
            let tag = try await reached.tag()
            if tag == "body" || tag == "html" || seen.contains(reached) { break }
            seen.append(reached)
            names.append(try await reached.label())
        }
        return names
    }

    /// The links, buttons and fields in view that have no name for a screen reader, as short tags.
    func unnamedControls() async throws -> [String] {
        var unnamed: [String] = []
        for control in try await elements("a[href], button, input:not([type=hidden]), select, textarea, summary") {
            guard try await control.isShown(), try await control.label().isEmpty else { continue }
            unnamed.append(try await control.property("outerHTML").string ?? "?")
        }
        return unnamed
    }

    /// The texts that stand out too little from their background, with the ratio reached.
    ///
    /// Standard: WCAG 2.2 §1.4.3 (4.5 to 1; 3 to 1 for large text). Reads plain background colours only.
    func faintTexts() async throws -> [String] {
        let found = try await run(
            """
            const parse = (text) => {
                const context = document.createElement('canvas').getContext('2d');
                context.fillStyle = text; context.fillRect(0, 0, 1, 1);
                const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
                return { r, g, b, a: a / 255 };
            };
            const over = (top, below) => ({
                r: top.r * top.a + below.r * (1 - top.a),
                g: top.g * top.a + below.g * (1 - top.a),
                b: top.b * top.a + below.b * (1 - top.a), a: 1,
            });
            const light = ({ r, g, b }) => [r, g, b].map((part) => part / 255)
                .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
                .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
            const dark = matchMedia('(prefers-color-scheme: dark)').matches
                && getComputedStyle(document.documentElement).colorScheme.includes('dark');
            const canvas = dark ? { r: 18, g: 18, b: 18, a: 1 } : { r: 255, g: 255, b: 255, a: 1 };
            const ground = (element) => {
                const layers = [];
                for (let box = element; box; box = box.parentElement) {
                    layers.push(parse(getComputedStyle(box).backgroundColor));
                    if (layers.at(-1).a === 1) break;
                }
                return layers.reduceRight((below, top) => over(top, below), canvas);
            };
            const faint = [];
            for (const element of document.body.querySelectorAll('*')) {
                const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
                    .map((node) => node.data.trim()).join(' ').trim();
                if (!text || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
                const style = getComputedStyle(element);
                const size = parseFloat(style.fontSize);
                const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
                const below = ground(element);
                const pair = [light(over(parse(style.color), below)), light(below)].sort((a, b) => b - a);
                const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
                if (ratio < (large ? 3 : 4.5)) faint.push(ratio.toFixed(2) + ' "' + text.slice(0, 60) + '"');
            }
            return faint;
            """
        )
        return (found.array ?? []).compactMap(\.string)
    }
}
