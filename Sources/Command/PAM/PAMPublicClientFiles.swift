internal import Countersign

/// The files that an application of the public client reads as its user, such as a screen locker.
struct PAMPublicClientFiles: Sendable {
    private let paths: [String]

    /// The files of a configuration; none where it has no public client.
    ///
    /// - Parameter path: The path of the configuration.
    init(of file: PAMConfigurationFile, at path: String) {
        let others = [PAMConfiguration.fileOfPeople(file.people), file.certificates]
        paths = file.publicClient == nil ? [] : [path] + others.compactMap(\.self)
    }

    /// The problems of those that not everybody may read, and of the folders on the way to them.
    var findings: [Finding] {
        var seen: Set<String> = []
        return paths.compactMap { PathPlace.visited(along: $0) }.joined().filter { seen.insert($0.path).inserted }
            .compactMap { place -> Finding? in
                switch place.kind {
                case .link: nil
                case .folder: place.permissions & 0o001 == 0 ? Self.problem("search", place.path, right: "x") : nil
                case .file: place.permissions & 0o004 == 0 ? Self.problem("read", place.path, right: "r") : nil
                }
            }
    }

    private static func problem(_ verb: String, _ path: String, right: String) -> Finding {
        .problem(
            "settings", "Users may not \(verb) \(path), as applications of public-client have to.",
            "Give them that right: chmod a+\(right) \(path)")
    }
}
