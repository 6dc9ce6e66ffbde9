extension String {
    /// The text after every text that begins with this one, in the order of bytes, which columns of text have.
    var endOfPrefix: String { self + "\u{10FFFF}" }
}
