internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

/// `countersign admin explain`: the life of one request for sign-in.
struct ExplainCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell what happened to one request for sign-in, without its secrets.",
        discussion: """
            A request is named by its identifier, as the audit lists it, by the beginning of that, or by the code that \
            its screen shows. Two hours after its deadline it is removed; then only what the audit and other records \
            keep of it is told.

            Examples:
              countersign admin explain WDJB-MJHT
              countersign admin explain 1jmq2ta --json
            """
    )

    @Argument(help: "The request: its identifier, the beginning of that, or the code of its screen.")
    var request: String

    @OptionGroup var admin: AdminOptions

    func output() async throws -> CommandOutput {
        let now = TimeSource.system.now()
        let (found, history) = try await admin.read { [request] repositories in
            let found = try RequestSearch(repositories).find(request)
            guard case .found(let id) = found, let records = try RequestRecords(of: id, in: repositories) else {
                return (found, RequestHistory?.none)
            }
            return (found, RequestHistory(records, at: now))
        }
        if case .several(let ids) = found {
            let lines = ids.map { "  \($0)" }.joined(separator: "\n")
            throw CommandError.usage("Several requests begin with \(request). Say which one:\n\(lines)")
        }
        let told = try history.or(failure: "Nothing is known of a request \(request).")
        return CommandOutput(told.members, told.text)
    }
}

extension RequestHistory {
    /// The history as JSON.
    fileprivate var members: OutputMembers {
        let request = records.request
        return [
            "id": records.id.rawValue, "client": records.clientID?.rawValue, "client_name": records.client?.name,
            "client_provenance": request?.client.provenance.rawValue,
            "service": records.domain?.name.rawValue, "device_name": request?.deviceName?.value,
            "software": request?.software?.value, "acts_for": request?.service?.value.purpose,
            "acts_until": request?.service?.value.ends, "asked": request?.asked.value, "deadline": request?.deadline,
            "removed": records.isSwept,
            "people": records.people.values.map { ["subject": $0.subject.rawValue, "name": $0.username.rawValue] },
            "events": events.map(\.members),
            "answer": poll?.rawValue, "answer_reason": pollReason,
        ]
    }

    /// The history in words.
    fileprivate var text: String {
        var lines = ["Request \(records.id)"] + details.map { "  \($0.name): \($0.value.shown)" } + [""]
        lines.append(
            OutputTable.text(
                of: events,
                in: [
                    "time (UTC)": { $0.at.formatted(.iso8601) }, "what": \.english, "from": \.address,
                    "person": { event in event.subject.flatMap { records.people[$0]?.username.rawValue } },
                    "detail": \.fullDetail, "source": \.source.name,
                ]))
        if let poll, let pollReason { lines += ["", "The client gets \(poll.rawValue) now: \(pollReason)."] }
        if records.isSwept {
            lines += ["", "The request itself was removed after its end; this is what other records keep of it."]
        }
        return lines.joined(separator: "\n")
    }

    /// The facts of the request with their provenance, as long as they are kept.
    private var details: [(name: String, value: String)] {
        var lines: [(name: String, value: String)] = []
        if let id = records.clientID {
            let name = records.client.map { "\($0.name) (\(id))" } ?? id.rawValue
            lines.append(("app", name + (records.request.map { ", \($0.client.provenance.rawValue)" } ?? "")))
        }
        if let domain = records.domain { lines.append(("service", domain.name.rawValue)) }
        guard let request = records.request else { return lines }
        if let name = request.deviceName {
            lines.append(("calls itself", "\(name.value), \(name.provenance.rawValue)"))
        }
        if let software = request.software {
            lines.append(("software", "\(software.value), \(software.provenance.rawValue)"))
        }
        if let service = request.service {
            let end = service.value.ends.formatted(.iso8601)
            lines.append(("acts for", "\(service.value.purpose), until \(end), \(service.provenance.rawValue)"))
        }
        lines.append(("ends", "\(request.deadline.formatted(.iso8601)) (UTC)"))
        return lines
    }
}

extension RequestEvent {
    /// The event as JSON.
    fileprivate var members: OutputMembers {
        [
            "at": at, "event": english, "proofs": englishProofs.isEmpty ? nil : englishProofs, "address": address,
            "subject": subject?.rawValue, "detail": fullDetail, "source": source.name, "number": source.number,
        ]
    }

    /// The words of the audit, or the reason of a failed message.
    fileprivate var fullDetail: String? {
        if case .delivery(_, .failed(let failure)) = kind { return failure.rawValue }
        return detail
    }
}

extension RequestEvent.Source {
    /// The record in a word.
    fileprivate var name: String {
        switch self {
        case .request: "request"
        case .audit: "audit"
        case .signIn: "sign_in"
        case .delivery: "delivery"
        }
    }

    /// The number of the audit entry; `nil` for another record.
    fileprivate var number: Int? {
        if case .audit(let number) = self { number } else { nil }
    }
}
