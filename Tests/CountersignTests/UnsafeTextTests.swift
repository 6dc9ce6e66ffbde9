import Countersign
import Testing

@Suite("Text that others wrote")
struct UnsafeTextTests {
    @Test(arguments: [
        ("Anna\u{1B}[2J", "Anna[2J", "Anna\u{FFFD}[2J"), ("a\nb", "ab", "a\u{FFFD}b"),
        ("TV\u{202E}VT", "TVVT", "TV\u{FFFD}VT"), ("\u{200B}", "?", "\u{FFFD}"), ("Küche 2", "Küche 2", "Küche 2"),
        ("\u{2028}x\u{E000}", "x", "\u{FFFD}x\u{FFFD}"), ("   ", "?", "   "), ("\u{E0041}", "?", "\u{FFFD}"),
    ])
    func `is shown without what steers or hides`(text: String, shown: String, marked: String) {
        #expect(text.shownInOneLine == shown)
        #expect(text.markingUnsafe == marked)
    }
}
