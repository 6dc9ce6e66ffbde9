/// The groups of people.
public protocol GroupRepository {
    /// Adds a new group.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the name is taken.
    func insert(_ group: Group) throws
    /// Finds a group by its name; `nil` when there is none.
    func find(_ name: GroupName) throws -> Group?
    /// Returns all groups, by name.
    func all() throws -> [Group]
    /// Returns the hierarchy of all groups.
    func hierarchy() throws -> GroupHierarchy
    /// Replaces the group of the same name; does nothing when there is none.
    func update(_ group: Group) throws
    /// Removes a group, with all memberships in it and its own; returns whether there was one.
    func remove(_ name: GroupName) throws -> Bool
    /// Makes a person a member of a group; does nothing when they are one already.
    func add(_ subject: Subject, to name: GroupName) throws
    /// Ends the membership of a person in a group; returns whether they were a member.
    func remove(_ subject: Subject, from name: GroupName) throws -> Bool
    /// Returns the groups that a person is a member of themselves, by name.
    func all(of subject: Subject) throws -> [GroupName]
    /// Returns the people who are members of a group themselves, by subject, at most `limit`.
    ///
    /// - Parameters:
    ///   - name: The group.
    ///   - last: The subject after which the list begins; `nil` for its beginning.
    ///   - limit: The greatest number of people.
    func members(of name: GroupName, after last: Subject?, limit: Int) throws -> [Subject]
    /// Ends all memberships of a person.
    func removeAll(of subject: Subject) throws
}

/// The claims that operators declared.
public protocol ClaimMappingRepository {
    /// Adds a declaration.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the claim is declared.
    func insert(_ mapping: ClaimMapping) throws
    /// Returns all declarations, by claim.
    func all() throws -> [ClaimMapping]
    /// Removes the declaration of a claim; returns whether there was one.
    func remove(_ claim: ClaimName) throws -> Bool
}
