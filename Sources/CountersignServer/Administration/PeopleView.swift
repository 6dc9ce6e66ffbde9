internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The pages about people, for administrators.
enum PeopleView {
    /// The list of the people that a search found, and the invitation with the address that was typed.
    static func list(
        _ results: [PersonRegistry.SearchResult], of text: String, for visitor: SignedInVisitor, sendsMail: Bool,
        inviting typed: String = ""
    ) -> AdminView {
        var view = AdminView(.people, for: visitor)
        view.search = AdminSearch(
            searchAddress: AdminNoun.people.path, searchButton: .admin(.search),
            searchFields: [AdminField("q", .searchPeople, value: text, hint: .searchPeopleHint)])
        view.sections = results.map { result in
            var section = AdminSection(
                "by-\(result.field.rawValue)", .admin(result.field.title), result.people.map { entry($0) })
            if result.isCut, let last = result.people.last {
                section.more = AdminAddress.of(
                    AdminNoun.people.path,
                    ["q": text, "by": result.field.rawValue, "after": last.subject.rawValue])
            }
            return section
        }
        if visitor.person.role.permits(.change(.people)) {
            view.sections.append(invitation(to: typed, sendsMail: sendsMail))
        }
        return view
    }

    /// The invitations that were not used; `nil` for none.
    static func waiting(
        _ invitations: ListPage<ActionLink>, for visitor: SignedInVisitor, at now: Date
    ) -> AdminSection? {
        guard !invitations.records.isEmpty else { return nil }
        let isOffered = visitor.person.role.permits(.change(.people))
        var section = AdminSection(
            "invitations", .admin(.invitations),
            invitations.records.map { link in
                var entry = AdminEntry(
                    link.invitationName,
                    [AdminFact(.made, link.created, at: now), AdminFact(.until, link.expires, at: now)])
                if isOffered {
                    entry.entryLinks = [
                        PageLink(
                            .admin(.withdraw),
                            to: AdminAddress.of(
                                PeoplePage.withdrawal, [PeoplePage.invitation: link.subject.rawValue]))
                    ]
                }
                return entry
            })
        section.more = invitations.last.map {
            AdminAddress.of(
                AdminNoun.people.path,
                [PeoplePage.invitation: $0.subject.rawValue, PeoplePage.made: AdminAddress.text(of: $0.created)])
        }
        return section
    }

    private static func entry(_ person: Person) -> AdminEntry {
        AdminEntry(
            .verbatim(person.name), at: PeoplePage.address(of: person.subject),
            [
                AdminFact(.username, person.username.rawValue), AdminFact(.email, person.email),
                person.isActive ? nil : AdminFact(.standing, person.standing.word),
                person.role == .user ? nil : AdminFact(.role, person.role.word),
            ])
    }

    private static func invitation(to typed: String, sendsMail: Bool) -> AdminSection {
        var section = AdminSection("invite", .admin(.invite))
        section.sectionHint = .admin(.inviteHint)
        section.sectionForms = [
            AdminForm(
                .admin(.makeLink), to: "/admin/people/invite",
                [AdminField("email", .email, value: typed)] + delivery(byMail: sendsMail))
        ]
        return section
    }

    /// The choice of how a link reaches its person.
    private static func delivery(byMail sendsMail: Bool) -> [AdminField] {
        guard sendsMail else { return [] }
        return [
            AdminField(
                "delivery", .delivery,
                [
                    AdminChoice(choiceValue: "mail", choiceTitle: .admin(.deliveryByMail), choiceIsSelected: true),
                    AdminChoice(choiceValue: "show", choiceTitle: .admin(.deliveryShown)),
                ])
        ]
    }

    // MARK: One person

    /// The page about one person.
    ///
    /// - Parameter typed: The change of the person that was refused, with the version that it is of, or `nil` for that in
    ///   `facts`; `nil`, the default, without a change.
    static func one(
        _ facts: PersonFacts, for visitor: SignedInVisitor, sendsMail: Bool,
        typed: (draft: PersonDraft, version: String?)? = nil, at now: Date
    ) -> AdminView {
        let person = facts.person
        let acts = PersonAct.offered(on: person, to: visitor.person)
        var view = AdminView(.people, .verbatim(person.name), for: visitor)
        var offer = self.acts(acts, on: person, sendsMail: sendsMail, typed)
        if person.subject == visitor.person.subject { offer.nothing = .admin(.problemOwnAccount) }
        view.sections = [
            account(person, for: visitor, at: now), offer,
            devices(facts, acts, at: now), browsers(facts, at: now), screens(facts, at: now), factors(facts, at: now),
            AdminSection(
                "groups", .admin(.groups),
                facts.groups.map { group in
                    AdminEntry(
                        .verbatim(group.rawValue),
                        at: visitor.person.role.permits(.read(.groups)) ? GroupsPage.address(of: group) : nil)
                }),
        ]
        if !facts.mutes.isEmpty { view.sections.append(mutes(facts, acts, at: now)) }
        view.back = .back(to: .people)
        return view
    }

    private static func mutes(_ facts: PersonFacts, _ acts: [PersonAct], at now: Date) -> AdminSection {
        AdminSection(
            "mutes", .admin(.mutes),
            facts.mutes.map { mute, client in
                var entry = AdminEntry(
                    .verbatim(client), code: mute.client.rawValue,
                    [AdminFact(.created, mute.since, at: now), AdminFact(.cause, mute.cause.word)])
                if acts.contains(.liftMute) {
                    entry.entryForms = [
                        AdminForm(
                            .admin(.liftMute), to: PersonAct.liftMute.path,
                            hidden: ["subject": facts.person.subject.rawValue, "client": mute.client.rawValue])
                    ]
                }
                return entry
            })
    }

    private static func account(_ person: Person, for visitor: SignedInVisitor, at now: Date) -> AdminSection {
        let email = person.email.map { address -> LocalizedText in
            person.isEmailVerified ? .admin(.emailVerified, ["address": .verbatim(address)]) : .verbatim(address)
        }
        var section = AdminSection(
            "account", .admin(.account),
            facts: [
                AdminFact(.username, person.username.rawValue), email.map { AdminFact(.email, $0) },
                AdminFact(.standing, person.standing.word), AdminFact(.until, person.removal, at: now),
                AdminFact(.role, person.role.word), AdminFact(.created, person.created, at: now),
                AdminFact(.passwordChanged, person.passwordChanged, at: now),
                AdminFact(.identifier, person.subject.rawValue, isCode: true),
            ])
        if visitor.person.role.permits(.read(.audit)) {
            section.sectionLinks = [
                PageLink(
                    AdminNoun.audit.title,
                    to: AdminAddress.of(AdminNoun.audit.path, ["person": person.subject.rawValue]))
            ]
        }
        return section
    }

    private static func acts(
        _ acts: [PersonAct], on person: Person, sendsMail: Bool, _ typed: (draft: PersonDraft, version: String?)?
    ) -> AdminSection {
        var section = AdminSection("acts", .admin(.acts))
        section.nothing = acts.isEmpty ? .admin(.nothing) : nil
        section.sectionLinks = acts.filter { $0 != .revokeDevice }.compactMap { act in
            act.words.map { PageLink(.admin($0.button), to: address(of: act, on: person)) }
        }
        let (subject, version) = (person.subject.rawValue, RecordVersion(person).text)
        if acts.contains(.resetPassword) {
            section.sectionForms.append(
                AdminForm(
                    .admin(.resetPassword), to: PersonAct.resetPassword.path, hidden: ["subject": subject],
                    delivery(byMail: sendsMail && person.verifiedEmail != nil)))
        }
        if acts.contains(.assignRole) {
            let choices = PersonRole.allCases.map {
                AdminChoice(choiceValue: $0.rawValue, choiceTitle: $0.word, choiceIsSelected: $0 == person.role)
            }
            section.sectionForms.append(
                AdminForm(
                    .admin(.assignRole), to: PersonAct.assignRole.path,
                    hidden: ["subject": subject, RecordVersion.field: version],
                    [AdminField("role", .role, choices)]))
        }
        if acts.contains(.change) {
            section.sectionForms.append(
                AdminForm(
                    .admin(.changePerson), to: PersonAct.change.path,
                    hidden: ["subject": subject, RecordVersion.field: typed?.version ?? version],
                    (typed?.draft ?? PersonDraft(of: person)).fields))
        }
        return section
    }

    private static func address(of act: PersonAct, on person: Person, _ device: EnrolledDevice? = nil) -> String {
        AdminAddress.of(act.path, ["subject": person.subject.rawValue, "device": device?.id.rawValue])
    }

    private static func devices(_ facts: PersonFacts, _ acts: [PersonAct], at now: Date) -> AdminSection {
        AdminSection(
            "devices", .admin(.devices),
            facts.devices.map { device in
                var entry = AdminEntry(
                    device.shownName.map { .verbatim(FactLine.claim($0)) } ?? .text(.accountAnAuthenticator),
                    code: device.id.rawValue,
                    [AdminFact(.added, device.created, at: now), AdminFact(.lastUsed, device.lastSeen, at: now)])
                if acts.contains(.revokeDevice) {
                    entry.entryLinks = [
                        PageLink(.admin(.revokeDevice), to: address(of: .revokeDevice, on: facts.person, device))
                    ]
                }
                return entry
            })
    }

    private static func browsers(_ facts: PersonFacts, at now: Date) -> AdminSection {
        AdminSection(
            "browsers", .admin(.browsers),
            facts.browsers.filter { now < $0.expires }.map { session in
                AdminEntry(session.browser.shownName, session.facts(at: now))
            })
    }

    private static func screens(_ facts: PersonFacts, at now: Date) -> AdminSection {
        AdminSection(
            "screens", .admin(.screens),
            facts.signIns.map { record, client in
                AdminEntry(
                    .verbatim(client),
                    [
                        AdminFact(.added, record.signedIn, at: now), AdminFact(.lastUsed, record.lastUsed, at: now),
                        AdminFact(.address, record.request.address?.value),
                    ])
            })
    }

    private static func factors(_ facts: PersonFacts, at now: Date) -> AdminSection {
        var entries = facts.passkeys.map { passkey in
            AdminEntry(
                .verbatim(passkey.name),
                [AdminFact(.added, passkey.created, at: now), AdminFact(.lastUsed, passkey.lastUsed, at: now)])
        }
        if let record = facts.oneTimePasswords {
            entries.append(
                AdminEntry(
                    .admin(.oneTimePasswords),
                    [
                        AdminFact(.added, record.enrolled, at: now),
                        AdminFact(.codesLeft, .verbatim("\(facts.recoveryCodesLeft)")),
                    ]))
        }
        return AdminSection("factors", .admin(.factors), entries)
    }
}

extension BrowserSession {
    /// The session as facts.
    func facts(at now: Date) -> [AdminFact?] {
        [
            AdminFact(.added, authenticated, at: now), AdminFact(.lastUsed, lastUsed, at: now),
            AdminFact(.address, browser.address),
        ] + proofs.map { $0.words.map { AdminFact(.how, $0) } } + [AdminFact(.until, expires, at: now)]
    }
}

extension Mute.Cause {
    /// The reason in a word or two.
    fileprivate var word: LocalizedText {
        switch self {
        case .reported: .admin(.causeReported)
        case .muted: .admin(.causeMuted)
        }
    }
}

extension ActionLink {
    /// The e-mail address of an invitation; one without may be anybody's.
    var invitationName: LocalizedText {
        invitedAddress.map { .verbatim($0.rawValue) } ?? .admin(.invitationOfAnybody)
    }
}

extension PersonSearchField {
    /// The heading above the people found by it.
    fileprivate var title: TextKey.Admin {
        switch self {
        case .username: .byUsername
        case .email: .byEmail
        case .name: .byName
        }
    }
}
