/// A heap of distinct elements whose priorities may change.
struct IndexedHeap<Element: Hashable & Sendable, Priority: Comparable & Sendable>: Sendable {
    private struct Item: Sendable {
        let element: Element
        var priority: Priority
    }

    private var items: [Item] = []
    private var places: [Element: Int] = [:]

    /// The element with the highest priority; `nil` when there is none.
    var first: (element: Element, priority: Priority)? {
        items.first.map { ($0.element, $0.priority) }
    }

    var count: Int { items.count }

    /// Adds an element, or changes its priority.
    mutating func set(_ priority: Priority, of element: Element) {
        if let place = places[element] {
            items[place].priority = priority
            settle(place)
        } else {
            items.append(Item(element: element, priority: priority))
            places[element] = items.count - 1
            rise(items.count - 1)
        }
    }

    /// Removes an element, if it is there.
    mutating func remove(_ element: Element) {
        guard let place = places.removeValue(forKey: element) else { return }
        let last = items.removeLast()
        guard place < items.count else { return }
        items[place] = last
        places[last.element] = place
        settle(place)
    }

    private mutating func settle(_ place: Int) {
        if place > 0, items[(place - 1) / 2].priority < items[place].priority {
            rise(place)
        } else {
            sink(place)
        }
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard items[parent].priority < items[place].priority else { return }
            exchange(parent, place)
            place = parent
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var highest = place
            for child in [2 * place + 1, 2 * place + 2] where child < items.count {
                if items[highest].priority < items[child].priority { highest = child }
            }
            guard highest != place else { return }
            exchange(highest, place)
            place = highest
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        items.swapAt(one, other)
        places[items[one].element] = one
        places[items[other].element] = other
    }
}
