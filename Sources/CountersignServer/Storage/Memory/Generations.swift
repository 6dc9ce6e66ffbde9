/// A map of bounded size that forgets what was not used for longest, roughly.
///
/// Two generations: what is used moves to the younger one, and when that is full it becomes the older one, and the
/// older one is forgotten. That costs no list of uses and no search for the oldest.
struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value on its own: a dictionary is half empty, and room for a whole row in each of its places costs more than
    /// the rows.
    private final class Kept: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var young: [Key: Kept] = [:]
    private var old: [Key: Kept] = [:]
    private let capacity: Int

    /// Keeps at least `capacity` values that are in use, and at most twice as many.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many values are kept right now.
    var count: Int { young.count + old.count }

    /// The value of a key, which counts as used.
    mutating func use(_ key: Key) -> Value? {
        if let kept = young[key] { return kept.value }
        guard let kept = old.removeValue(forKey: key) else { return nil }
        put(kept, for: key)
        return kept.value
    }

    /// The value of a key, as if nobody had asked.
    func peek(_ key: Key) -> Value? { (young[key] ?? old[key])?.value }

    /// Keeps a value; whether an older generation was forgotten for it.
    @discardableResult
    mutating func put(_ value: Value, for key: Key) -> Bool {
        put(Kept(value), for: key)
    }

    @discardableResult
    private mutating func put(_ kept: Kept, for key: Key) -> Bool {
        old.removeValue(forKey: key)
        let isFull = young.count >= capacity && young[key] == nil
        if isFull {
            old = young
            young = [:]
        }
        young[key] = kept
        return isFull
    }

    mutating func remove(_ key: Key) {
        young.removeValue(forKey: key)
        old.removeValue(forKey: key)
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}
