/// `did you mean "x"?`, when one of `words` is near to `word`; only the first 1,000 are looked at.
package func suggestion(for word: String, in words: some Sequence<String>) -> String? {
    closestMatch(to: word, in: Array(words.prefix(1000))).map { "did you mean \"\($0)\"?" }
}

/// The word among `words` nearest to `word`, when fewer than four letters differ and most agree.
package func closestMatch(to word: String, in words: [String]) -> String? {
    var best: (distance: Int, word: String)?
    let letters = Array(word.lowercased().unicodeScalars)
    for candidate in words where candidate.utf8.count <= 4 * (letters.count + 3) {
        let others = Array(candidate.lowercased().unicodeScalars)
        let limit = min(3, max(letters.count, others.count) / 2)
        // At least so many letters must be put in or taken out.
        guard abs(letters.count - others.count) <= limit else { continue }
        let distance = editDistance(letters, others)
        if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour to get from one
/// word to the other.
private func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (i, a) in first.enumerated() {
        var row = [i + 1]
        for (j, b) in second.enumerated() {
            var least = min(row[j] + 1, last[j + 1] + 1, last[j] + (a == b ? 0 : 1))
            if i > 0, j > 0, a == second[j - 1], b == first[i - 1] {
                least = min(least, beforeLast[j - 1] + 1)
            }
            row.append(least)
        }
        (beforeLast, last) = (last, row)
    }
    return last[second.count]
}
