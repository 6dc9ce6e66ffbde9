/// Compares bytes in constant time.
package enum ConstantTime {
    /// Whether two lists of bytes are the same. Every byte is compared, wherever the first difference is; only the
    /// lengths are compared beforehand.
    package static func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { areSame(left, $0) } }
    }

    /// Whether two texts are the same, byte for byte.
    package static func areSame(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { areSame(left, $0) } }
    }

    private static func areSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for place in left.indices { difference |= left[place] ^ right[place] }
        return difference == 0
    }
}
