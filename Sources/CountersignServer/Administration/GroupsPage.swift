internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/groups`: administrators see the groups of people, and change them.
struct GroupsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    /// The field with a group inside the group.
    private static let inner = "inner"
    private static let onePath = "/admin/groups/group"
    static let returns = ReturnPage(
        paths: [AdminNoun.groups.path, onePath, "/admin/groups/remove", memberRemoval], root: AdminNoun.groups.path)
    private static let memberRemoval = "/admin/groups/members/remove"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/groups", [.get: list], on: router)
        pages.mount("admin/groups/add", [.post: add], on: router)
        pages.mount("admin/groups/group", [.get: showOne], on: router)
        pages.mount("admin/groups/remove", [.get: askToRemove, .post: remove], on: router)
        pages.mount("admin/groups/members/add", [.post: addMember], on: router)
        pages.mount("admin/groups/members/remove", [.get: askToRemoveMember, .post: removeMember], on: router)
    }

    /// The address of the page about one group.
    static func address(of name: GroupName, after act: CompletedAct? = nil) -> String {
        AdminAddress.of(onePath, ["group": name.rawValue, "done": act?.rawValue])
    }

    /// The act that was just done, as named in the query of an address.
    enum CompletedAct: String, Sendable {
        case added, removed
        case memberAdded = "member-added"
        case memberRemoved = "member-removed"

        fileprivate var notice: LocalizedText {
            switch self {
            case .added: .admin(.doneGroupAdded)
            case .removed: .admin(.doneGroupRemoved)
            case .memberAdded: .admin(.doneMemberAdded)
            case .memberRemoved: .admin(.doneMemberRemoved)
            }
        }

        fileprivate static func notice(in request: Request) -> LocalizedText? {
            request.query["done"].flatMap { CompletedAct(rawValue: $0) }?.notice
        }
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.groups))
        return try await list(for: visitor, notice: CompletedAct.notice(in: request))
    }

    private func list(
        for visitor: SignedInVisitor, notice: LocalizedText? = nil, problem: LocalizedText? = nil
    ) async throws -> Response {
        let groups = try await groups(for: visitor).all()
        var view = AdminView(.groups, for: visitor)
        (view.notice, view.problem) = (notice, problem)
        view.sections = [
            AdminSection(
                "all", .admin(.all),
                groups.map { group in
                    AdminEntry(
                        .verbatim(group.name.rawValue), at: Self.address(of: group.name),
                        [
                            AdminFact(.note, group.note),
                            AdminFact(.memberOf, group.memberOf.map(\.rawValue).joined(separator: ", ")),
                        ])
                })
        ]
        if visitor.person.role.permits(.change(.groups)) {
            var section = AdminSection("add", .admin(.addGroup))
            section.sectionForms = [
                AdminForm(
                    .admin(.addGroup), to: "/admin/groups/add",
                    [AdminField("name", .name, hint: .groupNameHint), AdminField("note", .note)])
            ]
            view.sections.append(section)
        }
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func showOne(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.groups))
        return try await page(
            of: try Self.name(request), after: request.query["after"].map { Subject($0) }, for: visitor,
            notice: CompletedAct.notice(in: request))
    }

    private func page(
        of name: GroupName, after last: Subject? = nil, for visitor: SignedInVisitor, notice: LocalizedText? = nil,
        problem: LocalizedText? = nil
    ) async throws -> Response {
        guard let found = try await groups(for: visitor).find(name, after: last, telling: AdminView.pageLength) else {
            throw PageError.notFound
        }
        let mayChange = visitor.person.role.permits(.change(.groups))
        var view = AdminView(.groups, .verbatim(name.rawValue), for: visitor)
        (view.notice, view.problem) = (notice, problem)
        view.back = .back(to: .groups)
        var group = AdminSection(
            "group", .admin(.groups),
            facts: [
                AdminFact(.note, found.group.note),
                AdminFact(.memberOf, found.group.memberOf.map(\.rawValue).joined(separator: ", ")),
                AdminFact(.created, found.group.created, at: core.clock.now()),
            ])
        if mayChange {
            group.sectionLinks = [
                PageLink(
                    .admin(.removeGroup), to: AdminAddress.of("/admin/groups/remove", ["group": name.rawValue]))
            ]
        }
        view.sections = [group, members(found, mayChange: mayChange)]
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func members(_ found: GroupRegistry.Found, mayChange: Bool) -> AdminSection {
        let name = found.group.name.rawValue
        func removal(of field: String, _ value: String) -> [PageLink] {
            guard mayChange else { return [] }
            let address = AdminAddress.of(Self.memberRemoval, ["group": name, field: value])
            return [PageLink(.admin(.removeMember), to: address)]
        }
        let groups = found.groups.map { inner in
            var entry = AdminEntry(
                .verbatim(inner.rawValue), at: Self.address(of: inner), [AdminFact(.kind, .admin(.groups))])
            entry.entryLinks = removal(of: Self.inner, inner.rawValue)
            return entry
        }
        let people = found.people.map { person in
            var entry = AdminEntry(
                .verbatim(person.name), at: PeoplePage.address(of: person.subject),
                [AdminFact(.username, person.username.rawValue)])
            entry.entryLinks = removal(of: "member", person.subject.rawValue)
            return entry
        }
        var section = AdminSection("members", .admin(.members), groups + people)
        if !found.isComplete, let last = found.people.last {
            section.more = AdminAddress.of(Self.onePath, ["group": name, "after": last.subject.rawValue])
        }
        if mayChange {
            let hidden: KeyValuePairs = ["group": name, "return_to": Self.address(of: found.group.name)]
            section.sectionForms = [
                AdminForm(
                    .admin(.addMember), to: "/admin/groups/members/add", hidden: hidden,
                    [AdminField("username", .username)]),
                AdminForm(
                    .admin(.addInnerGroup), to: "/admin/groups/members/add", hidden: hidden,
                    [AdminField(Self.inner, .innerGroup)]),
            ]
        }
        return section
    }

    private func askToRemove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.groups))
        let name = try Self.name(request)
        guard let group = try await core.store.read({ try $0.groups.find(name) }) else { throw PageError.notFound }
        return try pages.question(
            before: .removal(of: group), ["group": name.rawValue], sentTo: "/admin/groups/remove", by: visitor)
    }

    private func askToRemoveMember(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.groups))
        let (name, query) = (try Self.name(request), request.query)
        let question = try await core.store.read { repositories -> DestructiveAct? in
            guard let group = try repositories.groups.find(name) else { return nil }
            if let inner = query[Self.inner] {
                let found = try repositories.groups.find(GroupName(rawValue: inner))
                return found.map { .removal(of: $0, from: group) }
            }
            let person = try query["member"].flatMap { try repositories.people.find(Subject($0)) }
            return person.map { .removal(of: $0, from: group) }
        }
        guard let question else { throw PageError.notFound }
        var form: Form = ["group": name.rawValue, "return_to": Self.address(of: name)]
        for field in ["member", Self.inner] { form[field] = query[field] }
        return try pages.question(before: question, form, sentTo: Self.memberRemoval, by: visitor)
    }

    // MARK: Changing

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.groups))
        let note = form["note"].flatMap { $0.isEmpty ? nil : $0 }
        guard let name = GroupName(parsing: form["name"] ?? ""), note?.isLine(of: 1...200) != false else {
            return try await list(for: visitor, problem: .admin(.problemGroupName))
        }
        do {
            _ = try await groups(for: visitor).add(name, note: note)
        } catch let refused as GroupRegistry.ChangeError {
            return try await list(for: visitor, problem: refused.shown)
        }
        return pages.redirect(to: Self.address(of: name, after: .added))
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.groups))
        let name = try Self.name(form)
        do {
            guard try await groups(for: visitor).remove(name) else { throw PageError.notFound }
        } catch let refused as GroupRegistry.ChangeError {
            return try await page(of: name, for: visitor, problem: refused.shown)
        }
        return pages.redirect(to: AdminAddress.list(of: .groups, after: CompletedAct.removed.rawValue))
    }

    private func addMember(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.groups))
        let name = try Self.name(form)
        let member: GroupRegistry.Member
        if let inner = form[Self.inner] {
            member = .group(GroupName(rawValue: TypedText.trimmed(inner)))
        } else {
            let typed = PersonName(form["username"] ?? "")
            guard let person = try await core.store.read({ try typed.find(in: $0) }) else {
                return try await page(of: name, for: visitor, problem: .admin(.problemNobody))
            }
            member = .person(person.subject)
        }
        do {
            try await groups(for: visitor).add([member], to: name)
        } catch GroupRegistry.ChangeError.noGroup(name) {
            throw PageError.notFound
        } catch let refused as GroupRegistry.ChangeError {
            return try await page(of: name, for: visitor, problem: refused.shown)
        }
        return pages.redirect(to: Self.address(of: name, after: .memberAdded))
    }

    private func removeMember(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.groups))
        let name = try Self.name(form)
        let inner = form[Self.inner].map { GroupRegistry.Member.group(GroupName(rawValue: $0)) }
        guard let member = inner ?? form["member"].map({ .person(Subject($0)) }) else { throw PageError.formExpired }
        do {
            _ = try await groups(for: visitor).remove([member], from: name)
        } catch GroupRegistry.ChangeError.noGroup {
            throw PageError.notFound
        }
        return pages.redirect(to: Self.address(of: name, after: .memberRemoved))
    }

    // MARK: Parts

    private static func name(_ request: Request) throws -> GroupName {
        guard let name = request.query["group"] else { throw PageError.notFound }
        return GroupName(rawValue: name)
    }

    private static func name(_ form: Form) throws -> GroupName {
        guard let name = form["group"] else { throw PageError.formExpired }
        return GroupName(rawValue: name)
    }

    private func groups(for visitor: SignedInVisitor) -> GroupRegistry {
        GroupRegistry(of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }
}

extension GroupRegistry.ChangeError {
    /// The refusal as a page shows it.
    fileprivate var shown: LocalizedText {
        switch self {
        case .taken: .admin(.problemGroupTaken)
        case .tooMany: .admin(.problemTooManyGroups)
        case .named(let claim): .admin(.problemGroupNamed, ["claim": .verbatim(claim.rawValue)])
        case .noPerson: .admin(.problemNobody)
        case .noGroup: .admin(.problemNoGroup)
        case .cycle: .admin(.problemGroupCycle)
        }
    }
}
