/// Token of each instance and kernel at one position. Emptied in constant time.
struct SALTokenMap {
    private var keys: ContiguousArray<UInt64>
    private var values: ContiguousArray<Int32>
    private var stamps: ContiguousArray<UInt32>
    private var stamp: UInt32 = 1
    private var count = 0

    init() {
        keys = ContiguousArray(repeating: 0, count: 64)
        values = ContiguousArray(repeating: 0, count: 64)
        stamps = ContiguousArray(repeating: 0, count: 64)
    }

    mutating func removeAll() {
        count = 0
        if stamp == .max {
            stamp = 0
            for slot in stamps.indices { stamps[slot] = 0 }
        }
        stamp += 1
    }

    /// The value known for a key; -1 if there was none, and then the given one is stored.
    mutating func insert(_ key: UInt64, _ value: Int32) -> Int32 {
        if count * 2 >= keys.count { grow() }
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while stamps[slot] == stamp {
            if keys[slot] == key { return values[slot] }
            slot = (slot + 1) & mask
        }
        keys[slot] = key
        values[slot] = value
        stamps[slot] = stamp
        count += 1
        return -1
    }

    private mutating func grow() {
        let old = self
        keys = ContiguousArray(repeating: 0, count: old.keys.count * 2)
        values = ContiguousArray(repeating: 0, count: old.keys.count * 2)
        stamps = ContiguousArray(repeating: 0, count: old.keys.count * 2)
        count = 0
        for slot in old.keys.indices where old.stamps[slot] == old.stamp {
            _ = insert(old.keys[slot], old.values[slot])
        }
    }
}
