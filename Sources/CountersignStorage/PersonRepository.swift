public import FoundationEssentialsCompat

/// The people who have an account at this server.
public protocol PersonRepository {
    /// Adds a new person.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the user name or subject is taken.
    func insert(_ person: Person) throws
    /// Finds a person by their user name; `nil` when there is none.
    func find(_ username: Username) throws -> Person?
    /// Returns the people with a verified e-mail address, regardless of case, at most two.
    func all(at address: EmailAddress) throws -> [Person]
    /// Finds a person by their subject; `nil` when there is none.
    func find(_ subject: Subject) throws -> Person?
    /// Replaces the person of the same subject; does nothing when there is none.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the user name is another person's.
    func update(_ person: Person) throws
    /// Returns the people with a field that begins with a text, in the order of the field, regardless of the case of
    /// its letters; letters with diacritics are others.
    ///
    /// - Parameters:
    ///   - field: The field that is compared, and by which the people are ordered.
    ///   - prefix: The beginning of the field; everybody with the field for an empty text.
    ///   - last: The last person of the page before; `nil` for the first page.
    ///   - limit: The maximum number of people on a page.
    func page(
        by field: PersonSearchField, beginningWith prefix: String, after last: Person?, limit: Int
    ) throws -> [Person]
    /// Returns all people, by user name.
    func all() throws -> [Person]
    /// Returns the subjects whose accounts are due for removal, the earliest first. It reads no other field, so that a
    /// damaged row keeps nobody else's account.
    ///
    /// - Parameters:
    ///   - instant: Only accounts that are due then are returned.
    ///   - limit: The maximum number of people.
    func leaving(by instant: Date, limit: Int) throws -> [Subject]
    /// Removes a person, and nothing of their sign-ins and sessions; returns whether there was one.
    func remove(_ subject: Subject) throws -> Bool
}

/// A field by which people are searched.
public enum PersonSearchField: String, Sendable, CaseIterable {
    /// The name by which they sign in.
    case username
    /// The e-mail address, verified or not.
    case email
    /// The name that is shown.
    case name
}
