import Graph

/// The members of an object while it is written: those that are there keep their places.
struct Members: Sendable, Hashable {
    private(set) var list: [JSON.Member]

    init(_ value: JSON.Value? = nil) {
        if case .object(let members)? = value { list = members } else { list = [] }
    }

    var value: JSON.Value { .object(list) }

    subscript(key: String) -> JSON.Value? {
        get { list.first { $0.key == key }?.value.value }
        set {
            let index = list.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): list[index].value = JSON(value)
            case (let index?, nil): list.remove(at: index)
            case (nil, let value?): list += Members(.members([(key, value)])).list
            case (nil, nil): break
            }
        }
    }

    /// Puts a member before all others.
    mutating func insertFirst(_ key: String, _ value: JSON.Value) {
        self[key] = nil
        list = Members(.members([(key, value)])).list + list
    }
}
