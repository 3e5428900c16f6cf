/// A queue that takes and gives in constant time.
struct Outbox<Element> {
    private var elements: [Element?] = []
    private var head = 0

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            // What is gone is cleared away in larger numbers.
            if head == elements.count {
                elements.removeAll(keepingCapacity: head <= 64)
                head = 0
            } else if head > 64, head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        let element = elements[head]
        elements[head] = nil
        head += 1
        return element
    }
}
