import Countersign
import CountersignWire
import Foundation

@testable import CountersignServer

extension SamplePages {
    /// The pages of administrators, with all that they may have.
    static func administration(_ text: String) -> [(String, any Page)] {
        var fact = AdminFact(.email, .verbatim(text))
        fact.factIsCode = true
        let facts: [AdminFact?] = [
            fact, AdminFact(.name, text), AdminFact(.added, noon, at: noon), AdminFact(.role, PersonRole.auditor.word),
        ]
        let link = PageLink(.verbatim(text), to: "/\(text)")
        var entry = AdminEntry(.verbatim(text), at: "/\(text)", code: text, facts)
        entry.entryLinks = [link]
        entry.entryForms = [AdminForm(.verbatim(text), to: "/\(text)", hidden: [text: text])]
        var section = AdminSection("sample", .verbatim(text), [entry, AdminEntry(.verbatim(text))])
        section.sectionHint = .verbatim(text)
        section.facts = facts.compactMap(\.self)
        section.more = "/\(text)"
        section.sectionLinks = [link]
        var lines = AdminField("three", .redirectURIs, value: text, hint: .onePerLine)
        lines.fieldRows = 3
        section.sectionForms = [
            AdminForm(
                .verbatim(text), to: "/\(text)", hidden: [text: text],
                [
                    AdminField("one", .name, value: text, hint: .actHint),
                    AdminField(
                        "two", .role,
                        [AdminChoice(choiceValue: text, choiceTitle: .verbatim(text), choiceIsSelected: true)]),
                    lines,
                ])
        ]
        var full = AdminView(.people, .verbatim(text), personName: text, formToken: text, role: .operator)
        (full.notice, full.problem) = (.verbatim(text), .verbatim(text))
        full.search = AdminSearch(
            searchAddress: "/\(text)", searchButton: .verbatim(text),
            searchFields: [AdminField("q", .searchPeople, value: text, hint: .searchPeopleHint)])
        full.sections = [section, AdminSection("none", .verbatim(text), [])]
        full.back = link
        let person = Person(
            subject: Subject(text), username: Username(rawValue: text), name: text, password: nil, created: noon)
        let device = EnrolledDevice(
            id: DeviceRegistration.ID(text), dialect: .signed, subject: person.subject, signIn: nil, created: noon)
        let questions = PersonAct.allCases.compactMap { act in
            act.question(on: person, act == .revokeDevice ? device : nil).map { question in
                (
                    "question: \(act)",
                    ConfirmationView(
                        question, of: ["subject": text], sentTo: "/admin/people/\(act.rawValue)", personName: text,
                        formToken: text) as any Page
                )
            }
        }
        return [
            ("records", full),
            ("no records", AdminView(.keys, personName: text, formToken: text, role: .helpdesk)),
        ] + questions
    }
}
