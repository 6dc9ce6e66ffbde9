extension ApproverPlace {
    /// The place of an app by its sign-in.
    init(of signIn: SignInRecord, in repositories: any Repositories) throws {
        let device = try repositories.devices.find(signIn.grant.id)
        self = device.map { .device($0.id) } ?? .client(signIn.grant.client)
    }

    /// The place of the app that signed in once; `nil` when no record names it.
    init?(of signIn: Grant.ID, in repositories: any Repositories) throws {
        if let record = try repositories.signIns.find(signIn) {
            try self.init(of: record, in: repositories)
        } else if let device = try repositories.devices.find(signIn) {
            self = .device(device.id)
        } else {
            return nil
        }
    }

    /// The name of the browser, or of the device as its person or its model has it, or of its app; `nil` for none.
    func name(in repositories: any Repositories) throws -> String? {
        switch self {
        case .browser(_, let name): return name
        case .device(let id), .olderDevice(let id?): return try repositories.devices.find(id)?.shownName
        case .client(let id): return try repositories.clients.find(id)?.name
        case .app(let id):
            if let name = try repositories.devices.find(id)?.shownName { return name }
            return try repositories.signIns.find(id).flatMap { try repositories.clients.find($0.grant.client)?.name }
        case .olderDevice(nil), .textMessage: return nil
        }
    }
}
