/// A map of bounded size that evicts, approximately, the least recently used entries.
///
/// A full cache displaces, for each new value, one that was not used since the cache last considered it (the
/// second-chance algorithm). So no insertion takes much longer than another, and a use costs one store.
package struct SecondChanceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A key with its value, allocated separately: a dictionary is half empty, and room for a whole row in each of its
    /// slots costs more than the rows.
    fileprivate final class Entry: Sendable {
        let key: Key
        let value: Value

        init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// A value that was displaced. Freeing it may take longer than displacing it.
    package struct EvictedValue: Sendable {
        private let entry: Entry

        fileprivate init(_ entry: Entry) { self.entry = entry }

        package var value: Value { entry.value }
    }

    private var entries: [Entry?] = []
    /// Whether the entry of the same place was used since it was last considered.
    private var isUsed: [Bool] = []
    private var places: [Key: Int32] = [:]
    /// The places without an entry.
    private var free: [Int32] = []
    /// The place that is considered next.
    private var hand = 0
    private let capacity: Int

    /// Makes an empty cache.
    package init(capacity: Int) { self.capacity = min(max(1, capacity), Int(Int32.max)) }

    /// The number of values that it holds now.
    package var count: Int { places.count }

    /// Whether it holds no value.
    package var isEmpty: Bool { places.isEmpty }

    /// The value of a key, which counts as used from now on.
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        isUsed[Int(place)] = true
        return entries[Int(place)]?.value
    }

    /// The value of a key, without counting as a use.
    package func peek(_ key: Key) -> Value? { places[key].flatMap { entries[Int($0)]?.value } }

    /// Keeps a value; returns the value of another key that was displaced, if the cache was full.
    @discardableResult
    package mutating func put(_ value: Value, for key: Key) -> EvictedValue? {
        let entry = Entry(key, value)
        if let place = places[key] {
            entries[Int(place)] = entry
            isUsed[Int(place)] = true
            return nil
        }
        var displaced: EvictedValue?
        let place: Int
        if let emptied = free.popLast() {
            place = Int(emptied)
        } else if entries.count < capacity {
            place = entries.count
            entries.append(nil)
            isUsed.append(false)
        } else {
            place = nextUnused()
            if let old = entries[place] {
                places[old.key] = nil
                displaced = EvictedValue(old)
            }
        }
        entries[place] = entry
        // A value that is never used is displaced before one that is.
        isUsed[place] = false
        places[key] = Int32(place)
        return displaced
    }

    /// The next place whose entry was not used since it was last considered; used entries get a second chance.
    private mutating func nextUnused() -> Int {
        while true {
            let place = hand
            hand = (hand + 1) % capacity
            guard isUsed[place] else { return place }
            isUsed[place] = false
        }
    }

    /// Drops the value of a key.
    package mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        entries[Int(place)] = nil
        free.append(place)
    }

    /// Drops all values.
    package mutating func removeAll() { self = SecondChanceCache(capacity: capacity) }
}
