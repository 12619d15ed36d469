import PackagePlugin

/// Lists the nodes of a target before it is compiled, so that adding a node edits no second file.
@main struct NodeCatalogue: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let output = context.pluginWorkDirectoryURL.appending(path: "NodeCatalogue.swift")
        let sources = module.sourceFiles(withSuffix: ".swift").map(\.url)
        return [
            .buildCommand(
                displayName: "Listing the nodes",
                executable: try context.tool(named: "NodeCatalogueGenerator").url,
                arguments: [output.path()] + sources.map { $0.path() },
                inputFiles: sources,
                outputFiles: [output]
            )
        ]
    }
}
