import Graph
import Physarum
import Presets

extension Command {
    /// `foxfire presets parameters`: what presets may say.
    static let presetsParameters = Command(
        name: "presets parameters",
        summary: "Print every parameter of presets with range, default and unit, as Markdown.",
        options: [.output, .replace, .keep],
        examples: [
            (
                line: "foxfire presets parameters -o parameters.md",
                purpose: "Write the table to a file."
            )
        ],
        perform: { arguments in try arguments.deliver(parametersPage) }
    )

    private static var parametersPage: String {
        var text = """
            # Parameters

            What presets may say in `params`, what routes and modulators may lead to, and what
            `modulate.keyframes` may move. Lengths are for a map 1080 cells high and grow with it.

            A modulator's factor multiplies a parameter's value; one that is marked with + may have the
            value 0, so there a factor f adds f - 1 steps. Values are kept in their range, once, by who
            reads them.

            The four that follow the trail (`moveSpeed`, `sensorDistance`, `sensorAngle`, `turnAngle`) are
            base + amplitude x strength^exponent, where the strength is the trail where an agent is, in
            sixteenths of its mean, from 0 to 1.

            """
        for (part, title) in [(ParameterInfo.Part.simulation, "Simulation"), (.look, "Look")] {
            text += "\n## \(title)\n\n| parameter | unit | range | default | step | meaning |\n"
            text += "| --- | --- | --- | --- | --- | --- |\n"
            for row in ParameterTable.rows where row.part == part {
                let (low, high) = (row.range.lowerBound, row.range.upperBound)
                text += "| `\(row.name)`\(row.isAdditive ? " +" : "") | \(row.unit) "
                text += "| \(shortText(of: low)) to \(shortText(of: high)) "
                text += "| \(shortText(of: row.defaultValue)) | \(shortText(of: row.step)) "
                text += "| \(row.help) |\n"
            }
        }
        return text
    }
}
