internal import Countersign

/// A look at the folder with keys and sessions. It writes nothing.
struct StateCheck: Sendable {
    let path: String

    /// The problems of the folder, as this user has them.
    var findings: [GateFinding] {
        do throws(GateStateError) {
            try requireUsable()
        } catch {
            return [.problem(.state, error.reason, advice: error.advice)]
        }
        guard let status = FileStatus(following: path), status.isExposed(at: path) else { return [] }
        return [
            .problem(
                .state, "Others may use \(path), which has the keys and sessions.",
                advice: "Take that right away: chmod 700 \(path)")
        ]
    }

    private func requireUsable() throws(GateStateError) {
        let keys = try GateKeys.found(in: path)
        do throws(PrivateFileError) {
            if keys == nil { try PrivateDirectory(path: path).tried() }
        } catch {
            throw GateStateError(keys: path, because: error)
        }
        do throws(PrivateFileError) {
            try SessionFiles.folder(in: path).tried()
        } catch {
            throw GateStateError(sessions: path, because: error)
        }
    }
}
