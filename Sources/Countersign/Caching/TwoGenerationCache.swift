/// A map of bounded size that forgets, roughly, what was not used for longest.
///
/// There are two generations. A value that is used moves to the younger one. When that is full it becomes the older
/// one, and the older one is dropped. This costs no list of uses and no search for the oldest entry.
package struct TwoGenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value in an allocation of its own: a dictionary is half empty, and room for a whole row in each of its slots
    /// costs more than the rows.
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var young: [Key: Box] = [:]
    private var old: [Key: Box] = [:]
    private let capacity: Int

    /// Makes an empty cache.
    ///
    /// - Parameter capacity: How many values in use it keeps at least; it keeps twice as many at most.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// How many values it holds now.
    package var count: Int { young.count + old.count }

    /// The value of a key, which counts as used from now on.
    package mutating func use(_ key: Key) -> Value? {
        if let box = young[key] { return box.value }
        guard let box = old.removeValue(forKey: key) else { return nil }
        put(box, for: key)
        return box.value
    }

    /// The value of a key, without counting as a use.
    package func peek(_ key: Key) -> Value? { (young[key] ?? old[key])?.value }

    /// Keeps a value; returns whether the older generation was dropped to make room.
    @discardableResult
    package mutating func put(_ value: Value, for key: Key) -> Bool {
        put(Box(value), for: key)
    }

    @discardableResult
    private mutating func put(_ box: Box, for key: Key) -> Bool {
        old.removeValue(forKey: key)
        let isFull = young.count >= capacity && young[key] == nil
        if isFull {
            old = young
            young = [:]
        }
        young[key] = box
        return isFull
    }

    /// Drops the value of a key.
    package mutating func remove(_ key: Key) {
        young.removeValue(forKey: key)
        old.removeValue(forKey: key)
    }

    /// Drops all values.
    package mutating func removeAll() {
        young = [:]
        old = [:]
    }
}
