internal import CountersignNearby

extension PeerName {
    /// The name for a service, which has 63 bytes at most: a longer one is cut, between two characters.
    ///
    /// Standard: RFC 6763 §4.1.1.
    var asInstanceName: String {
        var text = asSaid[...]
        while text.utf8.count > 63 { text.removeLast() }
        return String(text)
    }
}
