internal import Countersign
internal import CountersignWire

/// The acts of administrators that ask once.
extension DestructiveAct {
    static func removal(of domain: ServiceDomain) -> DestructiveAct {
        DestructiveAct(
            question: .text(.domainRemovalTitle), name: .verbatim(domain.displayName),
            identifier: domain.name.rawValue, loss: .text(.domainRemovalCareText),
            button: .text(.confirmationRemove), back: "/admin/domains")
    }

    static func renewal(of domain: ServiceDomain) -> DestructiveAct {
        DestructiveAct(
            question: .text(.domainRenewalTitle), name: .verbatim(domain.displayName),
            identifier: domain.name.rawValue, loss: .text(.domainRenewalCareText),
            button: .text(.domainRenewalRenew),
            back: AdminAddress.of("/admin/domains/change", ["domain": domain.name.rawValue]))
    }

    static func removal(of site: CustomerSite) -> DestructiveAct {
        DestructiveAct(
            question: .text(.siteRemovalTitle), name: .verbatim(site.name), identifier: site.id.rawValue,
            loss: .text(.siteRemovalCareText), button: .text(.confirmationRemove), back: "/admin/sites")
    }

    static func renewal(ofSecretOf site: CustomerSite) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.secretTitle), name: .verbatim(site.name), identifier: site.id.rawValue,
            loss: .text(.siteFormSecretHint), button: .text(.domainRenewalRenew),
            back: AdminAddress.of("/admin/sites/change", ["site": site.id.rawValue]))
    }

    static func removal(of app: AuthenticatorApp) -> DestructiveAct {
        DestructiveAct(
            question: .text(.appKeyRemovalTitle), name: .verbatim(app.name), identifier: app.key.rawValue,
            loss: .text(.appKeyRemovalCareText), button: .text(.confirmationRemove), back: "/admin/sites")
    }

    static func removal(of group: Group) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.groupRemovalTitle), name: .verbatim(group.note ?? group.name.rawValue),
            identifier: group.name.rawValue, loss: .admin(.groupRemovalCare), button: .text(.confirmationRemove),
            back: GroupsPage.address(of: group.name))
    }

    static func removal(of person: Person, from group: Group) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.memberRemovalTitle), name: .verbatim(person.name),
            identifier: person.username.rawValue,
            loss: .admin(.memberRemovalCare, ["group": .verbatim(group.name.rawValue)]),
            button: .admin(.removeMember), back: GroupsPage.address(of: group.name))
    }

    static func removal(of inner: Group, from group: Group) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.innerRemovalTitle), name: .verbatim(inner.note ?? inner.name.rawValue),
            identifier: inner.name.rawValue,
            loss: .admin(.memberRemovalCare, ["group": .verbatim(group.name.rawValue)]),
            button: .admin(.removeMember), back: GroupsPage.address(of: group.name))
    }

    static func removal(of mapping: ClaimMapping) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.claimRemovalTitle), name: .verbatim(mapping.claim.rawValue),
            identifier: mapping.sourceText, loss: .admin(.claimRemovalCare), button: .text(.confirmationRemove),
            back: AdminNoun.claims.path)
    }

    static func removal(of token: InitialAccessToken) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.tokenRemovalTitle), name: .verbatim(token.id.rawValue), identifier: token.id.rawValue,
            loss: .admin(.tokenRemovalCare), button: .text(.confirmationRemove),
            back: AdminNoun.registrationTokens.path)
    }

    static func withdrawal(of invitation: ActionLink) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.withdrawTitle), name: invitation.invitationName,
            identifier: invitation.subject.rawValue, loss: .admin(.withdrawCare), button: .admin(.withdraw),
            back: AdminNoun.people.path)
    }

    static func end(of session: BrowserSession, of person: Person) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.sessionTitle), name: .verbatim(person.name), identifier: person.username.rawValue,
            loss: .admin(.sessionCare), button: .admin(.endSession), back: AdminNoun.sessions.path)
    }

    static func renewal(ofSecretOf client: Client) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.secretTitle), name: .verbatim(client.name), identifier: client.id.rawValue,
            loss: .admin(.secretCare), button: .text(.domainRenewalRenew), back: ClientsPage.address(of: client.id))
    }

    static func removal(of client: Client) -> DestructiveAct {
        DestructiveAct(
            question: .admin(.clientRemovalTitle), name: .verbatim(client.name), identifier: client.id.rawValue,
            loss: .admin(.clientRemovalCare), button: .text(.confirmationRemove),
            back: ClientsPage.address(of: client.id))
    }
}
