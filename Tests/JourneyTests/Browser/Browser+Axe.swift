import Foundation

extension Browser {
    /// The rules of axe-core that the page breaks, each with the elements that break it; empty when there are none.
    ///
    /// It needs the page's scripts on. What axe-core cannot decide by itself is no finding.
    func axeFindings() async throws -> [String] {
        let found = try await run(
            """
            \(try Self.axe())
            ;
            // This version of axe-core does not know the word webauthn yet.
            const rules = { 'autocomplete-valid': { enabled: false } };
            return axe.run(document, { resultTypes: ['violations'], rules }).then((result) =>
                result.violations.map((rule) => rule.id + ': ' + rule.nodes.map((node) => node.html).join(' ')));
            """
        )
        return (found.array ?? []).compactMap(\.string)
    }

    /// The script of axe-core, from the Python package that has it.
    private static func axe() throws -> String {
        let libraries = try PythonProgram.interpreter().deletingLastPathComponent().deletingLastPathComponent()
            .appending(component: "lib")
        let names = try FileManager.default.contentsOfDirectory(atPath: libraries.path)
        let scripts = names.filter { $0.hasPrefix("python") }.map {
            libraries.appending(path: "\($0)/site-packages/axe_core_python/axe.min.js")
        }
        guard let script = scripts.first(where: { FileManager.default.isReadableFile(atPath: $0.path) }) else {
            throw PythonProgram.NoPython(
                description: "axe-core is not below \(libraries.path): run `make test`, which installs it.")
        }
        return try String(contentsOf: script, encoding: .utf8)
    }
}
